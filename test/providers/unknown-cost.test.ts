import { expect, test } from 'vitest'
import type { Price } from '@genmount/core'
import { arkProvider } from '@genmount/provider-ark'
import { falProvider } from '@genmount/provider-fal'
import { geminiOmniProvider } from '@genmount/provider-google/omni'
import { googleProvider } from '@genmount/provider-google'
import { openaiProvider } from '@genmount/provider-openai'
import { proceduralProvider } from '@genmount/provider-procedural'
import { replicateProvider } from '@genmount/provider-replicate'

const token = 'id:secret'
const outputKind = 'image' as const

test.each([
  [
    'replicate',
    (price?: number) => replicateProvider({ token, models: { it: { model: 'a/b', outputKind, price } } }),
  ],
  ['fal', (price?: number) => falProvider({ token, models: { it: { endpoint: 'a/b', outputKind, price } } })],
  ['ark', (price?: number) => arkProvider({ token, models: { it: { outputKind, price } } })],
  ['openai', (price?: number) => openaiProvider({ token, models: { it: { model: 'gpt-image-2', price } } })],
  ['google', (price?: number) => googleProvider({ token, models: { it: { model: 'gemini-image', price } } })],
  [
    'google, a film',
    (price?: number) =>
      geminiOmniProvider({ token, models: { it: { model: 'gemini-omni-1.1-flash', price } } }),
  ],
])('a model of %s without a price has isCostKnown false, and one with a price true', (_name, make) => {
  expect(make().models.map(({ isCostKnown }) => isCostKnown)).toEqual([false])
  expect(make(0.1).models.map(({ isCostKnown }) => isCostKnown)).toEqual([true])
})

const table = (by: string, usd: Record<string, number>) => ({ by, usd })

test.each([
  [
    'google films',
    (price: Price) => geminiOmniProvider({ token, models: { omni: { price } } }),
    table('resolution', { '720p': 0.4, '4k': 0.6 }),
    'resolution 360p, 1080p',
  ],
  [
    'openai',
    (price: Price) => openaiProvider({ token, models: { 'gpt-image-2': { price } } }),
    table('quality', { auto: 1, low: 1, medium: 1, high: 1 }),
    'quality xhigh, max, or no quality',
  ],
  [
    'fal',
    (price: Price) => falProvider({ token, models: { it: { endpoint: 'a/b', outputKind, price } } }),
    table('resolution', { '2K': 1 }),
    'resolution other than 2K, or no resolution',
  ],
  [
    'replicate',
    (price: Price) => replicateProvider({ token, models: { it: { model: 'a/b', outputKind, price } } }),
    table('num_outputs', { 1: 1 }),
    'num_outputs other than 1, or no num_outputs',
  ],
])(
  'a price list of %s says which inputs have no price, and throws if it goes by no field',
  (_name, make, price, gap) => {
    expect(make(price).models[0]?.unpricedInputs).toBe(gap)
    expect(() => make(table('reslution', { '2K': 1 }))).toThrow(
      /price\.by must be one of the fields of the input/,
    )
    expect(make(0.1).models[0]?.unpricedInputs).toBeUndefined()
  },
)

test('the models of the procedural provider, which cost nothing, do not have isCostKnown false', async () => {
  const provider = proceduralProvider()
  expect(provider.models.every(({ isCostKnown }) => isCostKnown !== false)).toBe(true)
  await provider.close?.()
})
