import { comfyApiProvider } from '@genmount/provider-comfyui/api-v2'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { models } from '../comfyui/comfyui-world.ts'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { withoutWaiting } from '../without-waiting.ts'
import { comfyApiFake, token } from './comfy-api-fake.ts'

const image = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`

const suite = providerSuite(
  async () => {
    const fake = await comfyApiFake({ servesFiles: true })
    return {
      provider: (baseUrl) => comfyApiProvider({ baseUrl, token, models, fetchFile }),
      vendor: fake.origin,
      secrets: [token],
      unknownHandle: { job: 'unknown' },
      ...withoutWaiting(),
      close: fake.close,
    }
  },
  [
    { model: 'comfy-image', input: { prompt: 'a mountain lake', num_outputs: 2 } },
    { model: 'comfy-video', input: { prompt: 'the sea', image, duration: 2 } },
  ],
  { lacks: ['list', 'readCallback'] },
)

for (const [name, run] of Object.entries(suite)) test(name, run)
