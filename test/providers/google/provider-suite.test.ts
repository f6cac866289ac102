import { guardedFetch } from '@genmount/guarded-fetch'
import { googleProvider } from '@genmount/provider-google'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
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
