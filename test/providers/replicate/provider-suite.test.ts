import { providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { startReplicate } from './fake-replicate.ts'
import { providerFor } from './replicate-world.ts'

const suite = providerSuite(async () => {
  const fake = await startReplicate()
  const { token, webhookSecret, baseUrl } = fake
  return {
    provider: (url) => providerFor(fake, { webhookSecret, baseUrl: url }),
    vendor: baseUrl,
    secrets: [token],
    unknownHandle: 'unknown',
    fetch: fake.fetch,
    close: fake.close,
  }
}, [
  { model: 'painter', input: { prompt: 'a fox', num_outputs: 2 } },
  { model: 'film', input: { prompt: 'the sea', duration: 5 } },
  { model: 'versioned', input: { prompt: 'a kite', seed: 7 } },
])

for (const [name, run] of Object.entries(suite)) test(name, run)
