import { runwayProvider } from '@genmount/provider-runway'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { withoutWaiting } from '../without-waiting.ts'
import { runwayKey, startRunway } from './runway-fake.ts'

const models = {
  film: { model: 'gen4.5', outputKind: 'video' },
  picture: { model: 'gen4_image', outputKind: 'image' },
} as const
const image = 'https://pictures.example.com/fox.png'

const suite = providerSuite(
  async () => {
    const { baseUrl, close } = await startRunway()
    return {
      provider: (baseUrl) => runwayProvider({ token: runwayKey, baseUrl, models }),
      vendor: baseUrl,
      secrets: [runwayKey],
      unknownHandle: '00000000-0000-4000-8000-000000000404',
      fetch: async () => new Response(fakeFile('video').bytes),
      ...withoutWaiting(),
      close,
    }
  },
  [
    { model: 'film', input: { prompt: 'a fox runs', image, aspect_ratio: '16:9', duration: 5, seed: 7 } },
    { model: 'picture', input: { prompt: 'a fox', image: [image, image], aspect_ratio: '1:1' } },
  ],
  { lacks: ['dedupesSubmits', 'find', 'list', 'readCallback'] },
)

for (const [name, run] of Object.entries(suite)) test(name, run)
