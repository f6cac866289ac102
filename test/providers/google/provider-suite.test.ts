import { guardedFetch } from '@genmount/guarded-fetch'
import { geminiOmniProvider } from '@genmount/provider-google/omni'
import { googleProvider } from '@genmount/provider-google'
import type { JsonObject, Provider } from '@genmount/core'
import { fakeFile, providerSuite, type ProviderSuiteChoices } from '@genmount/testing'
import { describe, test } from 'vitest'
import { withoutWaiting } from '../without-waiting.ts'
import { googleFake, token } from './google-fake.ts'

const image = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`

const shared = {
  token,
  fetchFile: (url, options) => guardedFetch(url, { ...options, allowAddress: () => true }),
} satisfies Partial<Parameters<typeof googleProvider>[0]>

interface Job {
  readonly model: string
  readonly input: JsonObject
}

function suiteOf(
  connect: (baseUrl: string) => Provider,
  unknownHandle: JsonObject,
  jobs: Parameters<typeof providerSuite>[1] & readonly Job[],
  lacks: ProviderSuiteChoices['lacks'],
) {
  return providerSuite(
    async () => {
      const { baseUrl, close } = await googleFake()
      return {
        provider: connect,
        vendor: baseUrl,
        secrets: [token],
        unknownHandle,
        ...withoutWaiting(),
        close,
      }
    },
    jobs,
    { lacks },
  )
}

const images = suiteOf(
  (baseUrl) =>
    googleProvider({
      ...shared,
      baseUrl,
      models: { 'gemini-nano-banana-2.1': {}, edit: { model: 'gemini-3-pro-image' } },
    }),
  { any: 'handle' },
  [
    { model: 'gemini-nano-banana-2.1', input: { prompt: 'a fox' } },
    { model: 'edit', input: { prompt: 'make it snow', image: [image, image] } },
  ],
  ['cancel', 'dedupesSubmits', 'find', 'list', 'readCallback'],
)

const omni = suiteOf(
  (baseUrl) => geminiOmniProvider({ ...shared, baseUrl, models: { 'gemini-omni-1.2-flash': {} } }),
  { interaction: 'v1_unknown' },
  [
    { model: 'gemini-omni-1.2-flash', input: { prompt: 'a fox runs', image, last_frame: image } },
    { model: 'gemini-omni-1.2-flash', input: { prompt: 'an inline fox' } },
  ],
  ['dedupesSubmits', 'find', 'list', 'readCallback'],
)

describe.each([
  ['Gemini images', images],
  ['Gemini Omni', omni],
])('%s', (_name, suite) => {
  for (const [name, run] of Object.entries(suite)) test(name, run)
})
