import { expect, test } from 'vitest'
import { readReply } from './reply.ts'

function read(text: string, { hasEnded = false, head = false } = {}) {
  return readReply(Buffer.from(text), hasEnded, head)
}

test('a reply is read when its declared length is there, and leaves what follows it', () => {
  const text = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nkite'
  expect(read(text.slice(0, -1))).toBeUndefined()
  const found = read(`${text}HTTP/1.1 404`)
  expect([found?.reply.status, found?.reply.text, found?.length]).toEqual([200, 'kite', text.length])
})

test('a chunked reply is read when its last chunk is there', () => {
  const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nki\r\n2;x=y\r\nte\r\n0\r\n\r\n'
  expect(read(text.slice(0, -1))).toBeUndefined()
  expect(read(text)?.reply.text).toBe('kite')
  expect(read(text)?.length).toBe(text.length)
})

test('a reply without a length ends with its connection', () => {
  const text = 'HTTP/1.0 200 OK\r\n\r\nkite'
  expect(read(text)).toBeUndefined()
  expect(read(text, { hasEnded: true })?.reply.text).toBe('kite')
})

test('an answer to HEAD, an interim reply and 204 have no body, whatever length they declare', () => {
  expect(read('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n', { head: true })?.reply.body.length).toBe(0)
  expect(read('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK')?.length).toBe(25)
  expect(read('HTTP/1.1 204 No Content\r\n\r\n')?.reply.status).toBe(204)
})

test('a header that comes twice shows both values', () => {
  const found = read('HTTP/1.1 204 No Content\r\nX-One: a\r\nx-one: b\r\n\r\n')
  expect(found?.reply.headers.get('x-one')).toBe('a, b')
})

test('what is no HTTP reply is an error, not a wait', () => {
  expect(() => read('<html>\r\n\r\n')).toThrow('not an HTTP/1 reply')
})
