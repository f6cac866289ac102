import { expect, test } from 'vitest'
import { bySecond } from './prices.ts'

test('a film with a price for each second costs as much as one second at least, whatever its duration says', () => {
  const price = bySecond(8, 'sound', true, { true: 0.4, false: 0.2 })
  expect(price({ input: {}, units: 1 })).toBe(3.2)
  expect(price({ input: { duration: 4, sound: false }, units: 2 })).toBe(1.6)
  for (const duration of [0, '0', '', -1, []]) expect(price({ input: { duration }, units: 1 })).toBe(0.4)
})
