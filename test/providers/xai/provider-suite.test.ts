import { xaiProvider } from '@genmount/provider-xai'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { withoutWaiting } from '../without-waiting.ts'
import { token, xaiFake } from './xai-fake.ts'

const image = 'https://pictures.example.com/fox.png'
const suites = {
  images: providerSuite(
    () => subject({ unknownHandle: null }),
    [
      { model: 'picture', input: { prompt: 'a fox', num_outputs: 3 } },
      { model: 'picture', input: { prompt: 'make it snow', image: [image, image] } },
    ],
    { lacks: ['cancel', 'dedupesSubmits', 'find', 'list', 'readCallback'] },
  ),
  films: providerSuite(
    () => subject({}),
    [
      { model: 'film', input: { prompt: 'a fox', duration: 5 } },
      { model: 'edit', input: { prompt: 'make it snow', video: 'https://films.example.com/fox.mp4' } },
    ],
    { lacks: ['cancel', 'dedupesSubmits', 'find', 'list', 'readCallback'] },
  ),
}

async function subject(more: { readonly unknownHandle?: null }) {
  const { baseUrl, close } = await xaiFake()
  const film = { model: 'grok-imagine-video', outputKind: 'video', typicalMs: 1 } as const
  return {
    provider: (baseUrl: string) =>
      xaiProvider({
        token,
        baseUrl,
        models: {
          picture: { model: 'grok-imagine-image', outputKind: 'image' },
          film,
          edit: { ...film, task: 'edit' },
        },
      }),
    vendor: baseUrl,
    secrets: [token],
    fetch: async () => new Response(fakeFile('video').bytes, { headers: { 'content-type': 'video/mp4' } }),
    ...more,
    ...withoutWaiting(),
    close,
  }
}

for (const [kind, suite] of Object.entries(suites))
  for (const [name, run] of Object.entries(suite)) test(`${kind}: ${name}`, run)
