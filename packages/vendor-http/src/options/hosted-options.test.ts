import { expect, test } from 'vitest'
import { checkChoice, checkToken } from './hosted-options.ts'

test('a token is taken as it is, and anything else told without repeating it', () => {
  expect(checkToken('id:secret')).toBe('id:secret')
  for (const token of ['', undefined, 7, 'Bearer secret', 'secret\n', 'sécret'])
    expect(() => checkToken(token)).toThrow(/^token must (?!.*secret)/)
})

test('a choice is one of those that there are', () => {
  expect(checkChoice('kind', 'video', ['image', 'video'])).toBe('video')
  expect(() => checkChoice('kind', 'audio', ['image', 'video'])).toThrow(
    new TypeError("kind must be 'image' or 'video'."),
  )
})
