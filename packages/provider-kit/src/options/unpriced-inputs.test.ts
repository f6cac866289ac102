import type { Model } from '@genmount/core'
import { expect, test } from 'vitest'
import { unpricedInputs } from './unpriced-inputs.ts'

/** The form that valibot produces: `v.picklist` is an `enum`, and `v.optional` has its `default`. */
const schema = {
  type: 'object',
  properties: {
    prompt: { type: 'string' },
    style: { enum: ['oil', 'ink'] },
    quality: { enum: ['low', 'high'] },
    resolution: { enum: ['720p', '4k'], default: '720p' },
    audio: { type: 'boolean', default: false },
    seed: { type: 'integer', minimum: 0, maximum: 9 },
  },
  required: ['prompt', 'style'],
  additionalProperties: false,
}
const validate = () => ({ value: {} })
const input = {
  '~standard': { version: 1, vendor: 'x', validate, jsonSchema: { input: () => schema } },
} as Model['input']
const gapOf = (price: unknown, of = input) => unpricedInputs('price', price, of)

test.each([
  [{ by: 'style', usd: { oil: 1, ink: 2 } }, undefined],
  [{ by: 'resolution', usd: { '720p': 1, '4k': 2 } }, undefined],
  [{ by: 'audio', usd: { true: 2, false: 1 } }, undefined],
  [{ by: 'style', usd: { oil: 1 } }, 'style ink'],
  [{ by: 'resolution', usd: { '4k': 2, '8k': 3 } }, 'resolution 720p'],
  [{ by: 'audio', usd: { true: 2 } }, 'audio false'],
  [{ by: 'quality', usd: { low: 1 } }, 'quality high, or no quality'],
  [{ by: 'quality', usd: { low: 1, high: 2 } }, 'no quality'],
  [{ by: 'prompt', usd: { 'a fox': 1 } }, 'prompt other than a fox'],
  [{ by: 'seed', usd: { 1: 1 } }, 'seed other than 1, or no seed'],
  [0.1, undefined],
  [() => 1, undefined],
  [{ input: 1, output: 2 }, undefined],
  [undefined, undefined],
])('the price %j leaves out %s', (price, gap) => {
  expect(gapOf(price)).toBe(gap)
})

test('a price table by a field that the model does not have throws a TypeError', () => {
  expect(() => gapOf({ by: 'resolutoin', usd: { '720p': 1 } })).toThrow(
    new TypeError(
      'price.by must be one of the fields of the input (prompt, style, quality, resolution, audio, seed), not resolutoin.',
    ),
  )
})

test('a price of a model whose schema does not list its fields is not checked', () => {
  const silent = { '~standard': { version: 1, vendor: 'x', validate } } as const
  expect(gapOf({ by: 'size', usd: { s: 1 } }, silent)).toBeUndefined()
})
