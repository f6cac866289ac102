import { expect, test } from 'vitest'
import { checkToken, hostedOptions } from './hosted-options.ts'

test('a token is accepted unchanged, and anything else throws a TypeError that does not repeat it', () => {
  expect(checkToken('token', 'id:secret')).toBe('id:secret')
  for (const token of ['', undefined, 7, 'Bearer secret', 'secret\n', 'sécret'])
    expect(() => checkToken('token', token)).toThrow(/^token must (?!.*secret)/)
})

test('the error about a missing token names its environment variable', () => {
  const { token } = hostedOptions('ACME_KEY', 'https://api.acme.example')
  for (const missing of [undefined, '']) {
    expect(() => token('acmeProvider: token', missing)).toThrow(
      'acmeProvider: token is missing; set ACME_KEY',
    )
  }
  expect(() => token('acmeProvider: token', 'a b')).toThrow('acmeProvider: token must be an API key')
})

test('wrong headers throw a TypeError that does not show their values', () => {
  const { headers } = hostedOptions('ACME_KEY', 'https://api.acme.example')
  expect(headers('headers', { 'x-team': 'media' })).toEqual({ 'x-team': 'media' })
  for (const wrong of [{ a: 7 }, { a: ['secret'] }, { a: 'secret\n!' }, { 'a b': 'secret' }])
    expect(() => headers('headers', wrong)).toThrow(/^headers\['a.*'\] must be a text that HTTP can send\.$/)
  for (const wrong of [new Headers({ a: 'secret' }), [['a', 'secret']], 'a: secret'])
    expect(() => headers('headers', wrong)).toThrow(/^headers must be an object such as (?!.*secret)/)
})
