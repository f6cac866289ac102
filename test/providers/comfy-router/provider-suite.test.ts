import { comfyRouterProvider } from '@genmount/provider-comfyui/router'
import { comfyRouterModels } from '@genmount/provider-comfyui/router-models'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { withoutWaiting } from '../without-waiting.ts'
import { comfyRouterFake, storedFile, token } from './comfy-router-fake.ts'

const image = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`
const { flux3Image, kling3Turbo, gptImage25Flare } = comfyRouterModels

const suite = providerSuite(
  async () => {
    const fake = await comfyRouterFake()
    return {
      provider: (baseUrl) =>
        comfyRouterProvider({
          token,
          baseUrl,
          models: [flux3Image, kling3Turbo, gptImage25Flare],
          fetchFile,
        }),
      vendor: fake.origin,
      secrets: [token],
      unknownHandle: { model: 'bfl/flux-3-image', request_id: '00000000-0000-4000-8000-000000000404' },
      fetch: async (url) => {
        const { body, headers = {} } = storedFile(String(url))
        return new Response(body as BodyInit, { headers })
      },
      ...withoutWaiting(),
      close: fake.close,
    }
  },
  [
    { model: 'flux-3-image', input: { prompt: 'a fox', aspect_ratio: '16:9', resolution: '2k' } },
    {
      model: 'kling-3-turbo',
      input: { prompt: 'a fox runs', aspect_ratio: '9:16', duration: 5, resolution: '1080p' },
    },
    { model: 'gpt-image-2.5-flare', input: { prompt: 'make it snow', image } },
  ],
  { lacks: ['find', 'list', 'readCallback'] },
)

for (const [name, run] of Object.entries(suite)) test(name, run)
