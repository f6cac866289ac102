import { expect, test } from 'vitest'
import { scrubber } from './scrubber.ts'

test('a secret is removed from a text wherever it stands, also encoded', () => {
  const scrub = scrubber(['4321', 'id:54321'])
  expect(scrub('id:54321, ?key=id%3A54321 and 4321')).toBe('[secret], ?key=[secret] and [secret]')
})

test('an empty secret throws a TypeError', () => {
  for (const secrets of [[''], [1], 'text'])
    expect(() => scrubber(secrets as string[])).toThrow('secrets must be a list of texts')
})
