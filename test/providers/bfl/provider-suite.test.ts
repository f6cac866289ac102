import { bflProvider } from '@genmount/provider-bfl'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { withoutWaiting } from '../without-waiting.ts'
import { bflKey, startBfl, webhookSecret } from './bfl-fake.ts'

const models = {
  flux: { endpoint: 'flux-2-pro', outputKind: 'image' },
  film: { endpoint: 'flux-3-video', outputKind: 'video' },
} as const
const image = 'https://pictures.example.com/fox.png'

const suite = providerSuite(
  async () => {
    const { baseUrl, close } = await startBfl()
    return {
      provider: (baseUrl) => bflProvider({ token: bflKey, webhookSecret, baseUrl, models }),
      vendor: baseUrl,
      secrets: [bflKey],
      unknownHandle: { id: 'unknown' },
      fetch: async () => new Response(fakeFile('image').bytes),
      ...withoutWaiting(),
      close,
    }
  },
  [
    { model: 'flux', input: { prompt: 'a fox', image: [image, image], aspect_ratio: '16:9', seed: 7 } },
    { model: 'film', input: { prompt: 'a fox runs', image, last_frame: image, duration: 5, sound: false } },
  ],
  { lacks: ['cancel', 'dedupesSubmits', 'find', 'list'] },
)

for (const [name, run] of Object.entries(suite)) test(name, run)
