import { expect, test } from 'vitest'
import type { JsonObject } from '../contracts/json.ts'
import type { ModelPrice } from '../contracts/provider.ts'
import { expectedUsd } from './expected-usd.ts'

const byResolution = { field: 'resolution', usd: { '720p': 0.1, '1080p': 0.5 } }

test.each<[string, Partial<ModelPrice>, JsonObject, number | undefined]>([
  ['pictures cost by their number', { per: 'image', usd: 0.5 }, { num_outputs: 3 }, 1.5],
  ['without a number there is one picture', { per: 'image', usd: 0.5 }, {}, 0.5],
  ['a job is priced as one picture at least', { per: 'image', usd: 0.5 }, { num_outputs: 0 }, 0.5],
  ['fewer than no pictures cost as one', { per: 'image', usd: 0.5 }, { n: -3 }, 0.5],
  ['a part of a picture costs as a whole one', { per: 'output', usd: 0.5 }, { num_outputs: 1.2 }, 1],
  ['a number in a text counts', { per: 'image', usd: 0.5 }, { num_outputs: '3' }, 1.5],
  ['zero in a text costs as one', { per: 'image', usd: 0.5 }, { num_outputs: '0' }, 0.5],
  ['an empty text is no number', { per: 'image', usd: 0.5 }, { num_outputs: '' }, undefined],
  ['an empty list is no number', { per: 'image', usd: 0.5 }, { num_outputs: [] }, undefined],
  ['a job is priced as one second at least', { per: 'second', usd: 0.5 }, { duration: 0 }, 0.5],
  ['fewer than no seconds cost as one', { per: 'second', usd: 0.5 }, { duration: -1 }, 0.5],
  ['an empty text is no length', { per: 'second', usd: 0.5 }, { duration: ' ' }, undefined],
  [
    'a name that every object has is no price',
    { per: 'image', usdBy: byResolution },
    { resolution: 'constructor' },
    undefined,
  ],
  ['films cost by their seconds', { per: 'second', usd: 0.5 }, { duration: 4 }, 2],
  [
    'several films cost by the seconds of all',
    { per: 'second', usd: 0.5 },
    { duration: 4, num_outputs: 3 },
    6,
  ],
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
