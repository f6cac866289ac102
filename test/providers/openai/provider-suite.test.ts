import { openaiProvider } from '@genmount/provider-openai'
import { openaiResponsesProvider } from '@genmount/provider-openai/responses'
import { providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { withoutWaiting } from '../without-waiting.ts'
import { token } from './openai-words.ts'
import { openaiFake } from './openai-fake.ts'

const image = 'https://pictures.example.com/fox.png'

const images = providerSuite(
  async () => {
    const { baseUrl, close } = await openaiFake()
    const models = { make: { model: 'gpt-image-2' }, edit: { model: 'gpt-image-2' } }
    const connect = (baseUrl: string) => openaiProvider({ token, baseUrl, models })
    return {
      provider: connect,
      vendor: baseUrl,
      secrets: [token],
      unknownHandle: null,
      ...withoutWaiting(),
      close,
    }
  },
  [
    { model: 'make', input: { prompt: 'a fox', num_outputs: 3 } },
    { model: 'edit', input: { prompt: 'make it snow', image } },
  ],
  { lacks: ['cancel', 'dedupesSubmits', 'find', 'list', 'readCallback'] },
)

const responses = providerSuite(
  async () => {
    const { baseUrl, close } = await openaiFake()
    const models = { make: { model: 'gpt-image-2', caller: { model: 'gpt-5.6-luna' } } }
    const connect = (baseUrl: string) => openaiResponsesProvider({ token, baseUrl, models })
    return {
      provider: connect,
      vendor: baseUrl,
      secrets: [token],
      unknownHandle: 'resp_gone',
      ...withoutWaiting(),
      close,
    }
  },
  [
    { model: 'make', input: { prompt: 'a fox' } },
    { model: 'make', input: { prompt: 'make it snow', image } },
  ],
  { lacks: ['dedupesSubmits', 'find', 'list', 'readCallback'] },
)

for (const [api, suite] of Object.entries({ images, responses }))
  for (const [name, run] of Object.entries(suite)) test(`through the ${api} API: ${name}`, run)
