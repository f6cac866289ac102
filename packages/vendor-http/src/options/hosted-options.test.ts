import { expect, test } from 'vitest'
import { checkToken, hostedOptions } from './hosted-options.ts'

test('a token is taken as it is, and anything else told without repeating it', () => {
  expect(checkToken('token', 'id:secret')).toBe('id:secret')
  for (const token of ['', undefined, 7, 'Bearer secret', 'secret\n', 'sécret'])
    expect(() => checkToken('token', token)).toThrow(/^token must (?!.*secret)/)
})

test('a token that is missing is told with the variable of the environment that should hold it', () => {
  const { token } = hostedOptions('ACME_KEY', 'https://api.acme.example')
  for (const missing of [undefined, '']) {
    expect(() => token('acmeProvider: token', missing)).toThrow(
      'acmeProvider: token is missing; set ACME_KEY',
    )
  }
  expect(() => token('acmeProvider: token', 'a b')).toThrow('acmeProvider: token must be an API key')
})

test('headers are texts by their names, and their values are not told', () => {
  const { headers } = hostedOptions('ACME_KEY', 'https://api.acme.example')
  expect(headers('headers', { 'x-team': 'media' })).toEqual({ 'x-team': 'media' })
  for (const wrong of [{ a: 7 }, { a: ['secret'] }, { a: 'secret\n!' }, { 'a b': 'secret' }])
    expect(() => headers('headers', wrong)).toThrow(/^headers\['a.*'\] must be a text that HTTP can send\.$/)
  for (const wrong of [new Headers({ a: 'secret' }), [['a', 'secret']], 'a: secret'])
    expect(() => headers('headers', wrong)).toThrow(/^headers must be an object such as (?!.*secret)/)
})
