import { expect, test } from 'vitest'
import { byLength, perFilm, perPicture } from './prices.ts'

test('a film of fal costs the price of its endpoint for its duration however many units fal reports, and nothing when fal reports 0', () => {
  for (const units of [1, 5, 312.7]) {
    expect(perFilm(0.49)({ input: {}, units })).toBe(0.49)
    expect(byLength(0.07, 5)({ input: {}, units })).toBeCloseTo(0.35)
    expect(byLength(0.07, 5)({ input: { duration: 10 }, units })).toBeCloseTo(0.7)
  }
  expect([perFilm(0.49), byLength(0.07, 5)].map((price) => price({ input: {}, units: 0 }))).toEqual([0, 0])
})

test('each picture costs what the page of its endpoint says, however many units fal counts, and nothing for none', () => {
  for (const units of [1, 5, 312.7]) {
    expect(perPicture(0.012)({ input: {}, units })).toBe(0.012)
    expect(perPicture(0.012)({ input: { num_outputs: 4 }, units })).toBe(0.048)
  }
  expect(perPicture(0.012)({ input: { num_outputs: 4 }, units: 0 })).toBe(0)
})
