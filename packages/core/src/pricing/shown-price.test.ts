import { expect, test } from 'vitest'
import { shownPrice } from './price.ts'

test.each([
  [0.04, { text: '0.04 USD per image', per: 'image', usd: 0.04 }],
  [0, { text: 'free', per: 'image', usd: 0 }],
  [
    { by: 'resolution', usd: { '720p': 0.1, '1080p': 0.25 } },
    {
      text: '0.1 USD per image with resolution 720p, 0.25 USD with 1080p',
      per: 'image',
      usdBy: { field: 'resolution', usd: { '720p': 0.1, '1080p': 0.25 } },
    },
  ],
  [
    () => 3,
    { text: 'calculated from the input of each job and its images', usdOf: expect.any(Function) as object },
  ],
])('clients see the price %j in words, and in figures where it has any', (price, shown) => {
  expect(shownPrice(price, 'image')).toEqual(shown)
})

test('a model without a price shows null', () => {
  expect(shownPrice(undefined, 'image')).toBeUndefined()
})
