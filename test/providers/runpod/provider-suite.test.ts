import { runpodProvider } from '@genmount/provider-runpod'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { withoutWaiting } from '../without-waiting.ts'
import { runpodKey, startRunpod } from './runpod-fake.ts'
import { runpodModels } from './runpod-models.ts'

const image = 'https://pictures.example.com/fox.png'

const suite = providerSuite(
  async () => {
    const { origin, close } = await startRunpod()
    return {
      provider: (vendor) =>
        runpodProvider({ token: runpodKey, baseUrl: `${vendor}/v2`, models: runpodModels }),
      vendor: origin,
      secrets: [runpodKey],
      unknownHandle: { endpoint: 'wan-2-6-t2v', id: 'unknown' },
      fetch: async (url) => new Response(fakeFile(String(url).endsWith('.mp4') ? 'video' : 'image').bytes),
      ...withoutWaiting(),
      close,
    }
  },
  [
    { model: 'film', input: { prompt: 'a fox runs', resolution: '1280*720', duration: 5, seed: 7 } },
    { model: 'edit', input: { prompt: 'make it snow', image: [image, image], resolution: '2k' } },
    { model: 'workflow', input: { prompt: 'a fox' } },
  ],
  { lacks: ['dedupesSubmits', 'find', 'list', 'readCallback'] },
)

for (const [name, run] of Object.entries(suite)) test(name, run)
