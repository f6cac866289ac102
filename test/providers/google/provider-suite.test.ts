import { guardedFetch } from '@genmount/guarded-fetch'
import { googleProvider } from '@genmount/provider-google'
import { fakeFile, providerSuite } from '@genmount/testing'
import { describe, test } from 'vitest'
import { googleFake, token } from './google-fake.ts'

const image = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`

const suite = providerSuite(async () => {
  const { baseUrl, close } = await googleFake()
  const connect = (baseUrl: string) =>
    googleProvider({
      token,
      baseUrl,
      models: {
        'veo-3.1-generate-preview': {},
        'gemini-3.1-flash-image': {},
        edit: { model: 'gemini-3-pro-image' },
      },
      fetchFile: (url, options) => guardedFetch(url, { ...options, allowAddress: () => true }),
    })
  return {
    provider: connect,
    vendor: baseUrl,
    secrets: [token],
    unknownHandle: { operation: 'models/veo/operations/unknown' },
    close,
  }
}, [
  { model: 'veo-3.1-generate-preview', input: { prompt: 'a fox runs', image, num_outputs: 2 } },
  { model: 'gemini-3.1-flash-image', input: { prompt: 'a fox' } },
  { model: 'edit', input: { prompt: 'make it snow', image: [image, image] } },
])

for (const [name, run] of Object.entries(suite)) test(name, run)

const omniSuite = providerSuite(async () => {
  const { baseUrl, close } = await googleFake()
  const connect = (baseUrl: string) =>
    googleProvider({
      token,
      baseUrl,
      models: { 'gemini-omni-1.2-flash': {} },
      fetchFile: (url, options) => guardedFetch(url, { ...options, allowAddress: () => true }),
    })
  const unknownHandle = { interaction: 'v1_unknown' }
  return { provider: connect, vendor: baseUrl, secrets: [token], unknownHandle, close }
}, [
  { model: 'gemini-omni-1.2-flash', input: { prompt: 'a fox runs', image, last_frame: image } },
  { model: 'gemini-omni-1.2-flash', input: { prompt: 'an inline fox' } },
])

describe('Gemini Omni', () => {
  for (const [name, run] of Object.entries(omniSuite)) test(name, run)
})
