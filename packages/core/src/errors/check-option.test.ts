import { expect, test } from 'vitest'
import { checkChoice } from './check-option.ts'

test('a choice is one of those that there are', () => {
  expect(checkChoice('kind', 'video', ['image', 'video'])).toBe('video')
  expect(() => checkChoice('kind', 'audio', ['image', 'video'])).toThrow(
    new TypeError(`kind must be 'image' or 'video', not "audio".`),
  )
  expect(() => checkChoice('kind', undefined, ['image'])).toThrow(
    new TypeError("kind must be 'image', not undefined."),
  )
})
