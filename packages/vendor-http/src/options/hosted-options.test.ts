import { expect, test } from 'vitest'
import { checkToken } from './hosted-options.ts'

test('a token is taken as it is, and anything else told without repeating it', () => {
  expect(checkToken('id:secret')).toBe('id:secret')
  for (const token of ['', undefined, 7, 'Bearer secret', 'secret\n', 'sécret'])
    expect(() => checkToken(token)).toThrow(/^token must (?!.*secret)/)
})
