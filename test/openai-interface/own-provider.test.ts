import { openaiCompatible } from '@genmount/provider-openai/compatible'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { withoutWaiting } from '../providers/without-waiting.ts'
import { openaiWorld } from './openai-world.ts'

const token = 'alice-key'
const picture = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`

/** The interface as a vendor of another service. */
const suite = providerSuite(async () => {
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
}, [
  { model: 'make', input: { prompt: 'a fox', num_outputs: 3 } },
  { model: 'make', input: { prompt: 'make it snow', image: picture } },
])

for (const [name, run] of Object.entries(suite)) test(name, run)
