import { expect, test } from 'vitest'
import { imagePricer } from './image-price.ts'

const input = { quality: 'low' }
const usage = {
  input_tokens: 1000,
  output_tokens: 4000,
  input_tokens_details: { image_tokens: 600 },
  output_tokens_details: { text_tokens: 1000 },
}

test('each kind of token has its own price', () => {
  const costOf = imagePricer('price', { textInput: 5, imageInput: 8, imageOutput: 30, textOutput: 10 })
  expect(costOf({ input, images: 1, usage })).toBe((400 * 5 + 600 * 8 + 3000 * 30 + 1000 * 10) / 1e6)
})

test('output is taken for images where neither prices nor usage tell text apart', () => {
  const costOf = imagePricer('price', { textInput: 5, imageInput: 8, imageOutput: 30 })
  expect(costOf({ input, images: 1, usage })).toBe((400 * 5 + 600 * 8 + 4000 * 30) / 1e6)
  const plain = {
    input_tokens: 10,
    output_tokens: 100,
    input_tokens_details: null,
    output_tokens_details: null,
  }
  expect(costOf({ input, images: 1, usage: plain })).toBe((10 * 5 + 100 * 30) / 1e6)
})

test('token prices without usage give no cost, not a wrong one', () => {
  const costOf = imagePricer('price', { textInput: 5, imageInput: 8, imageOutput: 30 })
  expect(costOf({ input, images: 1, usage: undefined })).toBeUndefined()
})

test('any other price is for each image', () => {
  expect(imagePricer('price', 0.04)({ input, images: 3, usage })).toBe(0.12)
  expect(imagePricer('price', ({ units }) => units * 2)({ input, images: 3, usage })).toBe(6)
  expect(imagePricer('price', { by: 'quality', usd: { low: 0.01 } })({ input, images: 3, usage })).toBe(0.03)
  expect(imagePricer('price', undefined)({ input, images: 3, usage })).toBeUndefined()
})

test.each([
  { textInput: 5, imageInput: 8 },
  { textInput: 5, imageInput: 8, imageOutput: -1 },
  { textInput: 5, imageInput: 8, imageOutput: Number.POSITIVE_INFINITY },
  { textInput: 5, imageInput: 8, imageOutput: 30, cachedInput: 1 },
  {},
  null,
  -1,
])('%j is no price', (price) => {
  expect(() => imagePricer("models['a'].price", price as never)).toThrow(
    expect.objectContaining({
      name: 'TypeError',
      message: expect.stringContaining("models['a'].price must"),
    }),
  )
})
