import { expect, test } from 'vitest'
import { falProvider } from '@genmount/provider-fal'
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
  ['openai', (price?: number) => openaiProvider({ token, models: { it: { model: 'gpt-image-2', price } } })],
  ['google', (price?: number) => googleProvider({ token, models: { it: { model: 'gemini-image', price } } })],
  [
    'google, a film',
    (price?: number) => googleProvider({ token, models: { it: { model: 'gemini-omni-1.1-flash', price } } }),
  ],
])(
  'a model of %s without a price says that nobody knows its cost, and one with a price does not',
  (_name, make) => {
    expect(make().models.map(({ isCostKnown }) => isCostKnown)).toEqual([false])
    expect(make(0.1).models.map(({ isCostKnown }) => isCostKnown)).toEqual([true])
  },
)

test('a model that costs nothing is not told as one whose cost nobody knows', async () => {
  const provider = proceduralProvider()
  expect(provider.models.every(({ isCostKnown }) => isCostKnown !== false)).toBe(true)
  await provider.close?.()
})
