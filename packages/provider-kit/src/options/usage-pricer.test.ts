import type { Price } from '@genmount/core'
import { expect, test } from 'vitest'
import { type TokenPrices, usagePricer } from './usage-pricer.ts'

const input = { quality: 'low' }
const kinds = ['input', 'output'] as const
const tokens = { input: 400, output: 3000, thought: 1000 }
const pricer = (price: Price | TokenPrices<'input' | 'output', 'thought'> | undefined) =>
  usagePricer("models['a'].price", price, kinds, { thought: 'output' })

test('each kind of token has its own price', () => {
  const { costOf } = pricer({ input: 5, output: 30, thought: 10 })
  expect(costOf({ input, outputs: 1, tokens })).toBe((400 * 5 + 3000 * 30 + 1000 * 10) / 1e6)
})

test('a kind of token without a price has the price of its substitute', () => {
  expect(pricer({ input: 5, output: 30 }).costOf({ input, outputs: 1, tokens })).toBe(
    (400 * 5 + 4000 * 30) / 1e6,
  )
})

test('token prices without usage give no cost', () => {
  expect(pricer({ input: 5, output: 30 }).costOf({ input, outputs: 1, tokens: undefined })).toBeUndefined()
})

test('a price that is not per token is for each output', () => {
  const job = { input, outputs: 3, tokens }
  expect(pricer(0.04).costOf(job)).toBe(0.12)
  expect(pricer(({ units }) => units * 2).costOf(job)).toBe(6)
  expect(pricer({ by: 'quality', usd: { low: 0.01 } }).costOf(job)).toBe(0.03)
  expect(pricer(undefined).costOf(job)).toBeUndefined()
})

test.each([
  { input: 5 },
  { input: 5, output: -1 },
  { input: 5, output: Number.POSITIVE_INFINITY },
  { input: 5, output: 30, cached: 1 },
  {},
  null,
  -1,
])('%j as a price throws a TypeError', (price) => {
  expect(() => pricer(price as never)).toThrow(TypeError)
  expect(() => pricer(price as never)).toThrow("models['a'].price must")
})

test('clients see token prices in words, and other prices also in figures', () => {
  expect(pricer({ input: 5, output: 30 }).modelPrice('image')).toEqual({
    text: 'per million tokens: 5 USD for input, 30 USD for output',
  })
  expect(pricer(0.04).modelPrice('image')).toEqual({ text: '0.04 USD per image', per: 'image', usd: 0.04 })
  expect(pricer({ by: 'quality', usd: { low: 0.01 } }).modelPrice('image')).toMatchObject({
    usdBy: { field: 'quality', usd: { low: 0.01 } },
  })
  expect(pricer(undefined).modelPrice('image')).toBeUndefined()
})
