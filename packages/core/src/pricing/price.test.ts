import { expect, test } from 'vitest'
import { checkPrice, checkPriceOrUnknown, costOf, type PricedTask } from './price.ts'

const input = { prompt: 'a fox', resolution: '720p' }

test('a price is per unit, by the value of a field, or a function', () => {
  expect(costOf(0.1, { input, units: 3 })).toBe(0.3)
  expect(costOf({ by: 'resolution', usd: { '720p': 0.1 } }, { input, units: 2 })).toBe(0.2)
  expect(costOf(({ input, units }) => units + String(input['prompt']).length, { input, units: 2 })).toBe(7)
})

test('a price without an entry for an input gives no cost and does not throw', () => {
  const fails = () => {
    throw new Error('no such size')
  }
  for (const price of [
    undefined,
    { by: 'resolution', usd: { '4k': 1 } },
    { by: 'size', usd: { a: 1 } },
    fails,
    () => -1,
  ])
    expect(costOf(price, { input, units: 1 })).toBeUndefined()
  expect(costOf(0.1, { input, units: Number.NaN })).toBeUndefined()
})

test('a price function never calculates with units that the vendor has not counted, and keeps a price without units', () => {
  for (const units of [undefined, Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    const seen: number[] = []
    const byUnits = ({ units: counted }: PricedTask) => (seen.push(counted), counted > 10 ? 1 : 0.5)
    expect(costOf(byUnits, { input, units })).toBeUndefined()
    expect(seen.filter((counted) => !Number.isNaN(counted))).toEqual([])
    expect(costOf(() => 0.05, { input, units })).toBe(0.05)
    expect(costOf(({ input: given }) => (given['resolution'] === '720p' ? 0.1 : 1), { input, units })).toBe(
      0.1,
    )
    expect(costOf(0, { input, units })).toBe(0)
    expect(costOf(0.1, { input, units })).toBeUndefined()
    expect(costOf({ by: 'resolution', usd: { '720p': 0.1 } }, { input, units })).toBeUndefined()
  }
})

test('a wrong price throws a TypeError that names its option', () => {
  for (const wrong of [-1, Number.NaN, '0.1', null, {}, { by: 'a', usd: {} }, { by: 'a', usd: { b: -1 } }])
    expect(() => checkPrice('models.flux.price', wrong as never)).toThrow(
      'models.flux.price must be US dollars',
    )
  expect(checkPrice('price', undefined)).toBeUndefined()
  expect(checkPrice('price', 0)).toBe(0)
})

test('an option that may be unknown is a price, unknown or left out, and nothing else', () => {
  expect(checkPriceOrUnknown('price', 0.04)).toBe(0.04)
  for (const none of ['unknown', undefined]) expect(checkPriceOrUnknown('price', none)).toBeUndefined()
  for (const wrong of [-1, 'free', null, {}])
    expect(() => checkPriceOrUnknown('models.flux.price', wrong)).toThrow(
      /^models.flux.price must be US dollars .* or 'unknown', not /,
    )
})
