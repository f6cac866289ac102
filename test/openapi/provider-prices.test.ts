import { expect, test } from 'vitest'
import type { Provider } from '@genmount/core'
import { createGenerationService, routeModel } from '@genmount/core'
import { esrganProvider } from '@genmount/provider-esrgan'
import { falProvider } from '@genmount/provider-fal'
import { geminiOmniProvider } from '@genmount/provider-google/omni'
import { googleProvider } from '@genmount/provider-google'
import { openaiProvider } from '@genmount/provider-openai'
import { proceduralProvider } from '@genmount/provider-procedural'
import { replicateProvider } from '@genmount/provider-replicate'
import { fakeProvider } from '@genmount/testing'

const flux = { endpoint: 'fal-ai/flux/dev', outputKind: 'image' } as const
const painter = { model: 'acme/painter', outputKind: 'image' } as const
const fal = falProvider({ token: 'id:key', models: { flux: { ...flux, price: 0.025 }, bare: flux } })
const replicate = replicateProvider({
  token: 't',
  models: {
    flux: { ...painter, price: 0.001 },
    official: { ...painter, price: 0.04, priceUnit: 'output' },
  },
})
const textsOf = ({ models }: Pick<Provider, 'models'>) => models.map(({ price }) => price?.text)

test('GET /v1/models says the price that the app has given to the provider', () => {
  expect(textsOf(fal)).toEqual(['0.025 USD per billable unit of fal', undefined])
  expect(textsOf(replicate)).toEqual(['0.001 USD per second of computing', '0.04 USD per output'])
  expect(textsOf(proceduralProvider({ prices: { 'procedural-video': 0.02 } }))).toEqual([
    'free',
    '0.02 USD per second',
  ])
  expect(textsOf(esrganProvider({ prices: { 'esrgan-x4': 0.01 } }))).toEqual([
    'free',
    '0.01 USD per megapixel',
  ])
  const usd = { '720p': 0.1, '1080p': 0.25 }
  const films = { 'gemini-omni-1.2-flash': { price: { by: 'resolution', usd } } }
  expect(textsOf(geminiOmniProvider({ token: 't', models: films }))).toEqual([
    '0.1 USD per second with resolution 720p, 0.25 USD with 1080p',
  ])
  const omni = { 'gemini-omni-1.1-flash': { price: { input: 1.5, textOutput: 9, videoOutput: 17.5 } } }
  expect(textsOf(geminiOmniProvider({ token: 't', models: omni }))).toEqual([
    'per million tokens: 1.5 USD for input, 9 USD for textOutput, 17.5 USD for videoOutput',
  ])
  const gemini = { 'gemini-3-pro-image': { price: { input: 2, textOutput: 12, imageOutput: 120 } } }
  expect(textsOf(googleProvider({ token: 't', models: gemini }))).toEqual([
    'per million tokens: 2 USD for input, 12 USD for textOutput, 120 USD for imageOutput',
  ])
  const price = { textInput: 5, imageInput: 8, imageOutput: 30 }
  expect(textsOf(openaiProvider({ token: 't', models: { 'gpt-image-1': { price } } }))).toEqual([
    'per million tokens: 5 USD for textInput, 8 USD for imageInput, 30 USD for imageOutput',
  ])
})

test('a model with several routes has no price, because any of the routes may make the job', () => {
  const first = { provider: fal, model: 'flux' }
  const both = [first, { provider: replicate, model: 'flux' }]
  expect(routeModel({ id: 'one', routes: [first] }).model.price?.usd).toBe(0.025)
  expect(routeModel({ id: 'two', routes: both }).model.price).toBeUndefined()
})

test('createGenerationService refuses a model whose price has no text', () => {
  const fake = fakeProvider()
  const models = fake.models.map((model) => ({ ...model, price: { usd: 1 } }))
  expect(() => createGenerationService({ providers: [{ ...fake, models } as never] })).toThrow('price.text')
})
