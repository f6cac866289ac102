import { expect, test } from 'vitest'
import { imagePricer } from './gemini-price.ts'

const input = { resolution: '2K' }
const usage = {
  promptTokenCount: 300,
  candidatesTokenCount: 1200,
  thoughtsTokenCount: 50,
  candidatesTokensDetails: [
    { modality: 'IMAGE', tokenCount: 1120 },
    { modality: 'TEXT', tokenCount: 80 },
  ],
}
const prices = { input: 0.5, textOutput: 3, imageOutput: 60 }

test('each kind of token has its own price, and thinking that of text', () => {
  const costOf = imagePricer('price', prices)
  expect(costOf({ input, images: 1, usage })).toBe((300 * 0.5 + 1120 * 60 + 130 * 3) / 1e6)
})

test('the whole answer is taken for an image where Google does not tell its kinds apart', () => {
  const plain = { ...usage, candidatesTokensDetails: null }
  const costOf = imagePricer('price', prices)
  expect(costOf({ input, images: 1, usage: plain })).toBe((300 * 0.5 + 1200 * 60 + 50 * 3) / 1e6)
})

test('token prices without usage give no cost, not a wrong one', () => {
  expect(imagePricer('price', prices)({ input, images: 1, usage: undefined })).toBeUndefined()
})

test('any other price is for each image', () => {
  expect(imagePricer('price', 0.04)({ input, images: 1, usage })).toBe(0.04)
  expect(imagePricer('price', { by: 'resolution', usd: { '2K': 0.1 } })({ input, images: 1, usage })).toBe(
    0.1,
  )
  expect(imagePricer('price', undefined)({ input, images: 1, usage })).toBeUndefined()
})

test.each([{ input: 1, textOutput: 1 }, { ...prices, input: -1 }, { ...prices, cached: 1 }, {}, null, -1])(
  '%j is no price',
  (price) => {
    expect(() => imagePricer("models['a'].price", price as never)).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        message: expect.stringContaining("models['a'].price must"),
      }),
    )
  },
)
