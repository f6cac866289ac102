import { openaiProvider } from '@genmount/provider-openai'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { openaiFake, token } from './openai-fake.ts'

const suiteWith = (edits: 'json' | 'form', image: string) =>
  providerSuite(async () => {
    const { baseUrl, close } = await openaiFake()
    const connect = (baseUrl: string) =>
      openaiProvider({
        token,
        baseUrl,
        edits,
        models: { make: { model: 'gpt-image-2' }, edit: { model: 'gpt-image-2' } },
      })
    return { provider: connect, vendor: baseUrl, secrets: [token], unknownHandle: null, close }
  }, [
    { model: 'make', input: { prompt: 'a fox', num_outputs: 3 } },
    { model: 'edit', input: { prompt: 'make it snow', image } },
  ])

const picture = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`
const suites = {
  json: suiteWith('json', 'https://pictures.example.com/fox.png'),
  form: suiteWith('form', picture),
}

for (const [edits, suite] of Object.entries(suites))
  for (const [name, run] of Object.entries(suite)) test(`edits as ${edits}: ${name}`, run)
