import { providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { withoutWaiting } from '../without-waiting.ts'
import { startReplicate, token, webhookSecret } from './fake-replicate.ts'
import { providerAt } from './replicate-world.ts'

const suite = providerSuite(
  async () => {
    const time = withoutWaiting()
    const { baseUrl, fetch, close } = await startReplicate({ now: time.clock.now })
    return {
      provider: (url) => providerAt(url, { webhookSecret }),
      vendor: baseUrl,
      secrets: [token],
      unknownHandle: 'unknown',
      fetch,
      ...time,
      close,
    }
  },
  [
    { model: 'painter', input: { prompt: 'a fox', num_outputs: 2 } },
    { model: 'film', input: { prompt: 'the sea', duration: 5 } },
    { model: 'versioned', input: { prompt: 'a kite', seed: 7 } },
  ],
  { lacks: ['dedupesSubmits'] },
)

for (const [name, run] of Object.entries(suite)) test(name, run)
