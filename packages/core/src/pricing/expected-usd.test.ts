import { expect, test } from 'vitest'
import type { JsonObject } from '../contracts/json.ts'
import type { ModelPrice } from '../contracts/provider.ts'
import { expectedUsd } from './expected-usd.ts'

const byResolution = { field: 'resolution', usd: { '720p': 0.1, '1080p': 0.5 } }

test.each<[string, Partial<ModelPrice>, JsonObject, number | undefined]>([
  ['pictures cost by their number', { per: 'image', usd: 0.5 }, { num_outputs: 3 }, 1.5],
  ['without a number there is one picture', { per: 'image', usd: 0.5 }, {}, 0.5],
  ['films cost by their seconds', { per: 'second', usd: 0.5 }, { duration: 4 }, 2],
  ['films without a length have no price', { per: 'second', usd: 0.5 }, {}, undefined],
  [
    'a price goes by a field',
    { per: 'second', usdBy: byResolution },
    { duration: 2, resolution: '1080p' },
    1,
  ],
  ['other values of that field have no price', { per: 'image', usdBy: byResolution }, {}, undefined],
  ['other units have no price', { per: 'megapixel', usd: 1 }, {}, undefined],
  ['what is free is free in any unit', { per: 'megapixel', usd: 0 }, {}, 0],
  ['a calculated price is not known', {}, {}, undefined],
])('the expected cost of a job: %s', (_what, price, input, usd) => {
  expect(expectedUsd({ text: '', ...price }, input)).toBe(usd)
  expect(expectedUsd(undefined, input)).toBeUndefined()
})
