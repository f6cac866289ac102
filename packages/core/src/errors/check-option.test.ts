import { expect, test } from 'vitest'
import { checkBaseUrl, choice, count, duration, flag, listOf, optional, text } from './check-option.ts'

test('an option with choices accepts only those choices, and the error lists them', () => {
  expect(choice('image', 'video')('kind', 'video')).toBe('video')
  expect(() => choice('image', 'video')('kind', 'audio')).toThrow(
    new TypeError(`kind must be 'image' or 'video', not "audio".`),
  )
  expect(() => choice('image')('kind', undefined)).toThrow(
    new TypeError("kind must be 'image', not undefined."),
  )
})

test('an option that is left out gets its default, and null is refused', () => {
  expect(optional(count(), 5)('jobs', undefined)).toBe(5)
  expect(optional(count())('jobs', undefined)).toBeUndefined()
  expect(() => optional(count(), 5)('jobs', null)).toThrow(
    'jobs must be a whole number of at least 1, not null.',
  )
})

test('the error about a count or a duration names its range', () => {
  expect(count(1, 64)('workers', 64)).toBe(64)
  expect(() => count(1, 64)('workers', 65)).toThrow('workers must be a whole number from 1 to 64, not 65.')
  expect(() => duration(0)('waitMs', 2 ** 31)).toThrow('from 0 to 2147483647')
  for (const wrong of ['5', 1.5, Number.NaN, 5n, new Date(0)])
    expect(() => count()('jobs', wrong)).toThrow('jobs must be a whole number of at least 1, not ')
})

test('the error about an item of a list names its index', () => {
  expect(listOf('a list of flags', flag)('flags', [true, false])).toEqual([true, false])
  expect(() => listOf('a list of flags', flag)('flags', [true, 1])).toThrow(
    'flags[1] must be true or false, not a number.',
  )
  expect(() => listOf('a list of flags', flag)('flags', true)).toThrow(
    'flags must be a list of flags, not true.',
  )
})

test('no error about an option shows a text or number that may be a secret', () => {
  expect(() => text('a name')('name', 1234)).toThrow(new TypeError('name must be a name, not a number.'))
  expect(() => text('a name', /^[a-z]+$/)('name', 'sec ret')).toThrow(new TypeError('name must be a name.'))
  expect(() => count()('jobs', 'secret')).toThrow('not a text.')
  expect(() => checkBaseUrl('baseUrl', 'https://me:secret@a')).toThrow(/^baseUrl must be (?!.*secret)/)
})
