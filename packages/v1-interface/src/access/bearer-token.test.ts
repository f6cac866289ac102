import { expect, test } from 'vitest'
import { bearerToken } from './api-keys.ts'

test('a bearer token is read whatever the case of the scheme and the number of spaces', () => {
  for (const header of ['Bearer a.b-c_d~e+f/g==', 'bearer a.b-c_d~e+f/g==', 'BEARER   a.b-c_d~e+f/g==  '])
    expect(bearerToken(header)).toEqual({ token: 'a.b-c_d~e+f/g==' })
})

test('an Authorization header without a bearer token is answered as a missing key', () => {
  for (const header of [undefined, '', 'Bearer', 'Bearer   ', 'Basic YTpi', 'Bearertoken', 'token'])
    expect(bearerToken(header)).toBe('missing')
})

test('two Authorization headers, two tokens, or characters outside of RFC 6750 are refused', () => {
  for (const header of [
    'Bearer a, Bearer b',
    'Bearer a b',
    'Bearer a,',
    'Bearer "a"',
    'Bearer \u00e9',
    'Bearer a=b',
  ])
    expect(bearerToken(header)).toBe('malformed')
})

test('a bearer token over 4 KiB is refused', () => {
  expect(bearerToken(`Bearer ${'t'.repeat(4096)}`)).toEqual({ token: 't'.repeat(4096) })
  expect(bearerToken(`Bearer ${'t'.repeat(4097)}`)).toBe('malformed')
})
