import { comfyuiProvider } from '@genmount/provider-comfyui'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { token } from './comfyui-cases.ts'
import { models } from './comfyui-world.ts'
import { fakeComfyui } from './fake-comfyui.ts'

const image = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`

const suite = providerSuite(
  async () => {
    const comfyui = await fakeComfyui({ runMs: 20 })
    return {
      provider: (baseUrl) => comfyuiProvider({ baseUrl, token, models, submitGraceMs: 20 }),
      vendor: comfyui.origin,
      secrets: [token],
      unknownHandle: { promptId: 'unknown' },
      close: () => comfyui.close(),
    }
  },
  [
    { model: 'comfy-image', input: { prompt: 'a mountain lake', num_outputs: 2 } },
    { model: 'comfy-video', input: { prompt: 'the sea', image, duration: 2 } },
  ],
  { lacks: ['dedupesSubmits', 'readCallback'] },
)

for (const [name, run] of Object.entries(suite)) test(name, run)
