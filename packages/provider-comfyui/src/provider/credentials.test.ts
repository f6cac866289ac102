import { expect, test } from 'vitest'
import { credentialsIn } from './credentials.ts'

test('what opens a door counts as a secret, without its scheme, and other headers do not', () => {
  const headers = {
    Authorization: 'Basic dXNlcjpwdw==',
    'CF-Access-Client-Secret': 'abc def',
    Cookie: 'session=1',
    'x-api-key': 'k1',
    'x-room': 'studio',
  }
  expect(credentialsIn(headers)).toEqual(['dXNlcjpwdw==', 'abc def', 'session=1', 'k1'])
  expect(credentialsIn({ authorization: 'Bearer tok' })).toEqual(['tok'])
})
