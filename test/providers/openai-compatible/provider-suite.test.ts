import { openaiCompatible } from '@genmount/provider-openai/compatible'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { withoutWaiting } from '../without-waiting.ts'
import { token } from '../openai/openai-words.ts'
import { openaiFake } from '../openai/openai-fake.ts'

const suiteWith = (edits: 'json' | 'form', image: string) =>
  providerSuite(
    async () => {
      const { baseUrl, close } = await openaiFake()
      const models = { make: { model: 'gpt-image-2' } }
      const connect = (baseUrl: string) => openaiCompatible({ token, baseUrl, edits, models })
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
      { model: 'make', input: { prompt: 'make it snow', image } },
    ],
    { lacks: ['cancel', 'dedupesSubmits', 'find', 'list', 'readCallback'] },
  )

const picture = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`
const suites = {
  json: suiteWith('json', 'https://pictures.example.com/fox.png'),
  form: suiteWith('form', picture),
}

for (const [edits, suite] of Object.entries(suites))
  for (const [name, run] of Object.entries(suite)) test(`edits as ${edits}: ${name}`, run)
