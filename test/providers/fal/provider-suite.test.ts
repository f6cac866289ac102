import { providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { falKey } from './fal-fake.ts'
import { falFake, providerAt } from './fal-world.ts'

const suite = providerSuite(async () => {
  const fake = await falFake()
  return {
    provider: (origin) => providerAt(fake, { fetch: fake.fetchAt(origin) }),
    vendor: fake.origin(),
    secrets: [falKey, falKey.split(':')[1]!],
    unknownHandle: { request_id: '00000000-0000-4000-8000-000000000404' },
    fetch: (url) => fake.fetch(url),
  }
}, [
  { model: 'flux-schnell', input: { prompt: 'a fox', aspect_ratio: '16:9', num_outputs: 2, seed: 7 } },
  { model: 'kling-video', input: { prompt: 'a fox runs', aspect_ratio: '16:9', duration: 5 } },
])

for (const [name, run] of Object.entries(suite)) test(name, run)
