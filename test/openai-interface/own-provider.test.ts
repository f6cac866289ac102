import { openaiCompatible } from '@genmount/provider-openai/compatible'
import { fakeFile, providerSuite } from '@genmount/testing'
import { expect, test } from 'vitest'
import { withoutWaiting } from '../providers/without-waiting.ts'
import { openaiWorld } from './openai-world.ts'

const token = 'alice-key'
const picture = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`

/** The interface as a vendor of another service. */
const suite = providerSuite(
  async () => {
    const { origin } = await openaiWorld()
    const models = { make: { model: 'painter' } }
    const connect = (baseUrl: string) => openaiCompatible({ token, baseUrl, models })
    return {
      provider: connect,
      vendor: `${origin}/openai/v1`,
      secrets: [token],
      unknownHandle: null,
      ...withoutWaiting(),
      close: async () => {},
    }
  },
  [
    { model: 'make', input: { prompt: 'a fox', num_outputs: 3 } },
    { model: 'make', input: { prompt: 'make it snow', image: picture } },
  ],
  { lacks: ['cancel', 'dedupesSubmits', 'find', 'list', 'readCallback'] },
)

for (const [name, run] of Object.entries(suite)) test(name, run)

test('the tokens and the rewritten prompt of a vendor pass through one service to the other', async () => {
  const outputs = [{ bytes: fakeFile('image').bytes, revisedPrompt: 'a red fox' }]
  const tokens = { input: 12, imageInput: 2, output: 100, textOutput: 8 }
  const { origin } = await openaiWorld({ studio: { behave: () => ({ outputs, tokens }) } })
  const models = { make: { model: 'painter' } }
  const provider = openaiCompatible({ token, baseUrl: `${origin}/openai/v1`, models })
  const task = { jobId: 'job', model: 'make', input: { prompt: 'a fox' }, clientToken: 'token' }
  expect(await provider.submit(task, { signal: new AbortController().signal })).toMatchObject({
    state: 'succeeded',
    outputs: [{ revisedPrompt: 'a red fox' }],
    tokens,
  })
})
