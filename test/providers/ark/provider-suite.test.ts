import { arkProvider } from '@genmount/provider-ark'
import { fakeFile, providerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { withoutWaiting } from '../without-waiting.ts'
import { arkFake, token } from './ark-fake.ts'

async function subject(more: { readonly unknownHandle: string | null }) {
  const { baseUrl, close } = await arkFake()
  return {
    provider: (baseUrl: string) =>
      arkProvider({
        token,
        baseUrl,
        models: {
          picture: { model: 'seedream-4-5-251128', outputKind: 'image' },
          film: { model: 'seedance-1-5-pro-251215', outputKind: 'video', typicalMs: 1 },
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

const image = 'https://pictures.example.com/fox.png'
const suites = {
  images: providerSuite(
    () => subject({ unknownHandle: null }),
    [
      { model: 'picture', input: { prompt: 'a fox', aspect_ratio: '16:9' } },
      { model: 'picture', input: { prompt: 'make it snow', image: [image, image] } },
    ],
    { lacks: ['dedupesSubmits', 'find', 'list', 'readCallback'] },
  ),
  films: providerSuite(
    () => subject({ unknownHandle: 'cgt-unknown' }),
    [
      { model: 'film', input: { prompt: 'a fox', duration: 5, sound: false } },
      { model: 'film', input: { image, last_frame: image } },
    ],
    { lacks: ['dedupesSubmits', 'find', 'list', 'readCallback'] },
  ),
}

for (const [kind, suite] of Object.entries(suites))
  for (const [name, run] of Object.entries(suite)) test(`${kind}: ${name}`, run)
