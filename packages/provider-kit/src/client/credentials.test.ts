import { expect, test } from 'vitest'
import { credentialsIn } from './credentials.ts'

const secretsOf = (headers: Record<string, string>) => new Set(credentialsIn(new Headers(headers)))

test('credentials in headers count as secrets, without their scheme, and other headers do not', () => {
  const headers = {
    Authorization: 'Basic dXNlcjpwdw==',
    'CF-Access-Client-Secret': 'abc def',
    Cookie: 'session=1',
    'x-api-key': 'k1k2',
    'x-room': 'studio',
    'x-key-version': '2',
  }
  expect(secretsOf(headers)).toEqual(new Set(['dXNlcjpwdw==', 'user:pw', 'abc def', 'session=1', 'k1k2']))
  expect(secretsOf({ authorization: 'Bearer a-token' })).toEqual(new Set(['a-token']))
})

test('the secret half of an id:secret key counts as a secret alone, unless it is very short', () => {
  const key = 'key-id:0123456789abcdef-secret'
  expect(secretsOf({ authorization: `Key ${key}` })).toEqual(new Set([key, '0123456789abcdef-secret']))
  expect(secretsOf({ authorization: 'Key id:secret' })).toEqual(new Set(['id:secret']))
})

test('the password of a login counts as a secret alone', () => {
  const encoded = btoa('user:pass:word')
  const secrets = new Set([encoded, 'user:pass:word', 'pass:word'])
  expect(secretsOf({ authorization: `Basic ${encoded}` })).toEqual(secrets)
  expect(secretsOf({ authorization: 'Basic not~base64' })).toEqual(new Set(['not~base64']))
})
