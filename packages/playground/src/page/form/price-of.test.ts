import type { Model, ModelPrice } from '@genmount/client'
import { expect, test } from 'vitest'
import { priceOf } from './price-of.ts'

const schema = { properties: { num_outputs: { default: 2 }, resolution: { default: '720p' }, duration: {} } }

function priceWith(price: Partial<ModelPrice> | null, input: object, input_schema: object | null = schema) {
  const shown = price && { text: '', per: null, usd: null, usd_by: null, ...price }
  return priceOf({ price: shown, input_schema } as Model, { ...input })
}

test('the price of a form counts what the form says, and the defaults of the model where it says nothing', () => {
  expect(priceWith({ per: 'image', usd: 0.5 }, { num_outputs: 3 })).toBe(1.5)
  expect(priceWith({ per: 'image', usd: 0.5 }, {})).toBe(1)
  expect(priceWith({ per: 'image', usd: 0.5 }, {}, null)).toBe(0.5)
  const usd_by = { field: 'resolution', usd: { '720p': 0.1, '1080p': 0.5 } }
  expect(priceWith({ per: 'image', usd_by }, {})).toBe(0.2)
  expect(priceWith({ per: 'image', usd_by }, { resolution: '1080p' })).toBe(1)
})

test('a form says nothing about a price that nobody knows, or that only the service can calculate', () => {
  expect(priceWith(null, {})).toBeUndefined()
  expect(priceWith({ text: 'calculated' }, {})).toBeUndefined()
})
