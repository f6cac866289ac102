import { expect, test } from 'vitest'
import { faultOfAnswers, faultOfLogLine } from './faults.ts'

const secrets = ['key-of-alice']

test.each([
  ['{"message":"Job gen_1 has failed.","stack":"Error\\n at a"}', undefined],
  ['a line of the runtime', undefined],
  ['{"message":"Bearer key-of-alice"}', 'a secret: key-of-alice'],
  ['x-header: key-of-alice', 'a secret: key-of-alice'],
  ['{"message":"a\\nb"}', 'a control character in message'],
  ['{"message":"a","cause":{"words":"\\u009b"}}', 'a control character in words'],
  ['{"message":"a","stack":"Error\\n\\u001b[31m"}', 'a control character in stack'],
  ['a\u007f', 'a control character'],
])('the fault of the log line %j is %j', (line, fault) => {
  expect(faultOfLogLine(line, secrets)).toBe(fault)
})

const refusal = '\r\n\r\n{"error":{"code":"capacity_exceeded"}}'

test.each([
  ['HTTP/1.1 200 OK', undefined],
  [`HTTP/1.1 503 Service Unavailable\r\nretry-after: 1${refusal}`, undefined],
  [`HTTP/1.1 503 Service Unavailable${refusal}`, 'status 503'],
  ['HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\r\nno', 'status 503'],
  ['HTTP/1.1 400 Bad Request\r\n\r\nHTTP/1.1 500 Internal Server Error', 'status 500'],
  [`HTTP/1.1 503 Service Unavailable\r\nretry-after: 1${refusal}HTTP/1.1 503 No\r\n\r\n`, 'status 503'],
  ['HTTP/1.1 505 HTTP Version Not Supported\r\n\r\n', undefined],
  ['HTTP/1.1 200 OK\r\n\r\nokHTTP/1.1 505 HTTP Version Not Supported\r\n\r\n', undefined],
  ['HTTP/1.1 400 Bad Request\r\n\r\nkey-of-alice', 'a secret'],
  ['HTTP/1.1 400 Bad Request\r\n\r\nat fetch (/srv/server.ts:12:3)', 'a stack'],
])('the fault of the answers %j is %j', (answer, fault) => {
  expect(faultOfAnswers(answer, secrets)).toBe(fault)
})
