import { openaiProvider } from '@genmount/provider-openai'
import { providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { openaiFake, token } from './openai-fake.ts'

const suite = providerSuite(async () => {
  const { baseUrl, close } = await openaiFake()
  const connect = (baseUrl: string) =>
    openaiProvider({
      token,
      baseUrl,
      models: { make: { model: 'gpt-image-2' }, edit: { model: 'gpt-image-2' } },
    })
  return { provider: connect, vendor: baseUrl, secrets: [token], unknownHandle: null, close }
}, [
  { model: 'make', input: { prompt: 'a fox', num_outputs: 3 } },
  { model: 'edit', input: { prompt: 'make it snow', image: 'https://pictures.example.com/fox.png' } },
])

for (const [name, run] of Object.entries(suite)) test(name, run)
