import { klingProvider } from '@genmount/provider-kling'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { withoutWaiting } from '../without-waiting.ts'
import { startKling, token, webhookSecret } from './kling-fake.ts'

const models = {
  film: { model: 'kling-3.0-omni', outputKind: 'video' },
  picture: { model: 'kling-v3-omni', outputKind: 'image' },
} as const
const image = 'https://pictures.example.com/fox.png'

const suite = providerSuite(
  async () => {
    const { origin, close } = await startKling({ polls: 0 })
    return {
      provider: (baseUrl) => klingProvider({ token, webhookSecret, baseUrl, models }),
      vendor: origin,
      secrets: [token],
      unknownHandle: '893605946402811985',
      fetch: async (url) => {
        const kind = String(url).includes('.mp4') ? 'video' : 'image'
        const { bytes, contentType } = fakeFile(kind)
        return new Response(bytes, { headers: { 'content-type': contentType } })
      },
      ...withoutWaiting(),
      close,
    }
  },
  [
    { model: 'film', input: { prompt: 'a fox runs', image, last_frame: image, duration: 5, sound: false } },
    {
      model: 'picture',
      input: { prompt: 'two foxes', image: [image, image], aspect_ratio: '16:9', num_outputs: 2 },
    },
  ],
  { lacks: ['cancel', 'dedupesSubmits'] },
)

for (const [name, run] of Object.entries(suite)) test(name, run)
