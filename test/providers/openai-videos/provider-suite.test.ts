import { openrouterProvider } from '@genmount/provider-openai/openrouter'
import { openaiVideosProvider } from '@genmount/provider-openai/videos'
import { providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { withoutWaiting } from '../without-waiting.ts'
import { openaiVideosFake, token } from './openai-videos-fake.ts'
import { openrouterFake, token as openrouterKey } from './openrouter-fake.ts'

const image = 'https://pictures.example.com/fox.png'
const film = { model: 'sora-2', typicalMs: 1 }
const veo = { model: 'google/veo-3.1', typicalMs: 1 }

const suites = {
  'a server with OpenAI videos': providerSuite(
    async () => {
      const { baseUrl, close } = await openaiVideosFake()
      return {
        provider: (at: string) =>
          openaiVideosProvider({ token, baseUrl: at, models: { film }, cancel: 'cancel', fetchFile }),
        vendor: baseUrl,
        secrets: [token],
        ...withoutWaiting(),
        close,
      }
    },
    [
      { model: 'film', input: { prompt: 'a fox', duration: 8, resolution: '1280x720' } },
      { model: 'film', input: { prompt: 'make it snow', image } },
    ],
    { lacks: ['dedupesSubmits', 'find', 'list', 'readCallback'] },
  ),
  'a server that deduplicates': providerSuite(
    async () => {
      const { baseUrl, close } = await openaiVideosFake({ hasKeys: true })
      return {
        provider: (at: string) =>
          openaiVideosProvider({ token, baseUrl: at, models: { film }, dedupesSubmits: true, fetchFile }),
        vendor: baseUrl,
        secrets: [token],
        ...withoutWaiting(),
        close,
      }
    },
    [{ model: 'film', input: { prompt: 'a fox' } }],
    { lacks: ['cancel', 'find', 'list', 'readCallback'] },
  ),
  OpenRouter: providerSuite(
    async () => {
      const { baseUrl, close } = await openrouterFake()
      return {
        provider: (at: string) =>
          openrouterProvider({ token: openrouterKey, baseUrl: at, models: { film: veo }, fetchFile }),
        vendor: baseUrl,
        secrets: [openrouterKey],
        ...withoutWaiting(),
        close,
      }
    },
    [
      { model: 'film', input: { prompt: 'a fox', duration: 8, aspect_ratio: '16:9', sound: true } },
      { model: 'film', input: { prompt: 'make it snow', image, last_frame: image } },
    ],
    { lacks: ['cancel', 'dedupesSubmits', 'find', 'list', 'readCallback'] },
  ),
}

for (const [kind, suite] of Object.entries(suites))
  for (const [name, run] of Object.entries(suite)) test(`${kind}: ${name}`, run)
