import { expect, test } from 'vitest'
import type { Model, ModelPrice } from '../wire/model.ts'
import { knownPriceUsd } from './known-price.ts'

const schema = { properties: { num_outputs: { default: 2 }, resolution: { default: '720p' }, duration: {} } }
const filmSchema = { properties: { resolution: { default: '720p' }, duration: {} } }

function priceOf(
  price: Partial<ModelPrice> | null,
  input: Record<string, unknown>,
  input_schema: Model['input_schema'] = schema,
) {
  const shown = price && { text: '', per: null, usd: null, usd_by: null, ...price }
  return knownPriceUsd({ price: shown, input_schema }, input)
}

test.each(['image', 'video', 'output'])(
  'a price for each %s counts them, by the default of the model where no number is given',
  (per) => {
    expect(priceOf({ per, usd: 0.5 }, { num_outputs: 3 })).toBe(1.5)
    expect(priceOf({ per, usd: 0.5 }, { n: 3 }, null)).toBe(1.5)
    expect(priceOf({ per, usd: 0.5 }, {})).toBe(1)
    expect(priceOf({ per, usd: 0.5 }, {}, null)).toBe(0.5)
  },
)

test('a price for each second counts the seconds, and is not known where nothing says how many', () => {
  const priceOfFilm = (input: object) => priceOf({ per: 'second', usd: 0.5 }, { ...input }, filmSchema)
  expect(priceOfFilm({ duration: 4 })).toBe(2)
  expect(priceOfFilm({ duration: '4' })).toBe(2)
  expect(priceOfFilm({ duration: 4, num_outputs: 3 })).toBe(6)
  expect(priceOfFilm({})).toBeUndefined()
})

test('a price that depends on a field goes by its value, or its default', () => {
  const usd_by = { field: 'resolution', usd: { '720p': 0.1, '1080p': 0.5 } }
  expect(priceOf({ per: 'second', usd_by }, { duration: 2, resolution: '1080p' }, filmSchema)).toBe(1)
  expect(priceOf({ per: 'second', usd_by }, { duration: 2 }, filmSchema)).toBe(0.2)
  expect(priceOf({ per: 'second', usd_by }, { duration: 2, resolution: '4k' }, filmSchema)).toBeUndefined()
})

test('nothing is claimed about a price that is not known, or of a unit that is not', () => {
  expect(priceOf(null, {})).toBeUndefined()
  expect(priceOf({ text: 'calculated' }, {})).toBeUndefined()
  expect(priceOf({ per: 'megapixel', usd: 1 }, {})).toBeUndefined()
  expect(priceOf({ per: 'image', usd: 1 }, { num_outputs: 'many' })).toBeUndefined()
  for (const num_outputs of ['', ' ', [], true])
    expect(priceOf({ per: 'image', usd: 1 }, { num_outputs })).toBeUndefined()
  const usd_by = { field: 'resolution', usd: { '720p': 1 } }
  expect(priceOf({ per: 'image', usd_by }, { resolution: 'constructor' })).toBeUndefined()
})

test('no job that has a price is shown as free, however small the numbers in its input are', () => {
  for (const small of [0, '0', -3, 0.2]) {
    expect(priceOf({ per: 'image', usd: 0.5 }, { num_outputs: small })).toBe(0.5)
    expect(priceOf({ per: 'second', usd: 0.5 }, { duration: small }, filmSchema)).toBe(0.5)
  }
})

test('what is free is free, however much of it there is', () => {
  expect(priceOf({ per: 'second', usd: 0 }, {})).toBe(0)
})
