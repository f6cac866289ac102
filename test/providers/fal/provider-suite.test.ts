import { providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { fetchAt } from '../vendor-server.ts'
import { withoutWaiting } from '../without-waiting.ts'
import { falHosts, falKey } from './fal-fake.ts'
import { falFake, providerAt } from './fal-world.ts'

const suite = providerSuite(
  async () => {
    const fake = await falFake()
    return {
      provider: (origin) => providerAt({ fetch: fetchAt(origin, falHosts) }),
      vendor: fake.origin,
      secrets: [falKey, falKey.split(':')[1]!],
      unknownHandle: { request_id: '00000000-0000-4000-8000-000000000404' },
      fetch: (url) => fake.fetch(url),
      ...withoutWaiting(),
    }
  },
  [
    { model: 'flux-schnell', input: { prompt: 'a fox', aspect_ratio: '16:9', num_outputs: 2, seed: 7 } },
    { model: 'kling-video', input: { prompt: 'a fox runs', aspect_ratio: '16:9', duration: 5 } },
  ],
  { lacks: ['dedupesSubmits', 'find', 'list'] },
)

for (const [name, run] of Object.entries(suite)) test(name, run)
