import { createBlackForestLabs } from '@ai-sdk/black-forest-labs'
import { type BflModel, bflProvider } from '@genmount/provider-bfl'
import { fakeFile } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { bflKey, sample, startBfl } from './bfl-fake.ts'

// The AI SDK's package for Black Forest Labs and our provider before the same fake: they ask for the same.

const { bytes } = fakeFile('image')
const base64 = Buffer.from(bytes).toString('base64')
const dataUri = `data:image/png;base64,${base64}`
const url = 'https://pictures.example.com/fox.png'
const { signal } = new AbortController()

async function bothAt(endpoint: string, outputKind: BflModel['outputKind']) {
  const fake = await startBfl()
  onTestFinished(() => fake.close())
  const { baseUrl, ledger } = fake
  const sdk = createBlackForestLabs({
    apiKey: bflKey,
    baseURL: baseUrl,
    pollIntervalMillis: 5,
    fetch: async (url, init) => (url === sample ? new Response(bytes) : fetch(url, init)),
  })
  const ours = bflProvider({ token: bflKey, baseUrl, models: { it: { endpoint, outputKind } } })
  return {
    sdk,
    async submit(input: object) {
      const given = await ours.models[0]!.input['~standard'].validate(input)
      if (given.issues) throw new Error(given.issues.map(({ message }) => message).join())
      const task = { jobId: 'j', model: 'it', input: given.value as never, clientToken: 't' }
      return { task, report: await ours.submit(task, { signal }) }
    },
    ours,
    bodies: () => ledger.map(({ body }) => body),
  }
}

test('the bfl provider edits pictures by the same request as the AI SDK and finds them at the same link', async () => {
  const { sdk, submit, ours, bodies } = await bothAt('flux-kontext-pro', 'image')
  const settings = { prompt: 'make it snow', aspectRatio: '16:9', seed: 7, n: 1 } as const
  const file = (data: object) => ({ mediaType: 'image/png', ...data })
  const { images, providerMetadata } = await sdk.image('flux-kontext-pro').doGenerate({
    ...settings,
    files: [file({ type: 'url', url }), file({ type: 'file', data: base64 })] as never,
    mask: undefined,
    size: undefined,
    providerOptions: {},
  })
  expect(images).toEqual([bytes])
  expect(providerMetadata?.['blackForestLabs']).toMatchObject({ images: [{ cost: 3, seed: 7 }] })
  const { task, report } = await submit({
    prompt: 'make it snow',
    aspect_ratio: '16:9',
    seed: 7,
    image: [url, dataUri],
  })
  const [theirs, own] = bodies()
  expect(own).toEqual(theirs)
  if (report.state !== 'running') throw new Error('expected a running task')
  expect(await ours.poll({ ...task, handle: report.handle }, { signal })).toMatchObject({
    state: 'succeeded',
    costUsd: 0.03,
  })
})

test.each<[string, Readonly<Record<string, unknown>>, object]>([
  ['of a prompt', { prompt: 'the sea', duration: 8, aspect_ratio: '21:9', resolution: '1080p' }, {}],
  [
    'from a first to a last frame, without sound',
    { prompt: 'the sea', image: dataUri, last_frame: url, sound: false },
    { generateAudio: false },
  ],
  ['that goes on', { prompt: 'the sea', video: 'https://films.example.com/sea.mp4' }, {}],
])('the bfl provider makes films %s by the same request as the AI SDK', async (_what, input, more) => {
  const { sdk, submit, bodies } = await bothAt('flux-3-video', 'video')
  const at = (url: string, mediaType: string) => ({ type: 'url', url, mediaType }) as const
  const { image, last_frame, video, duration, aspect_ratio } = input as Readonly<Record<string, never>>
  await sdk.video('flux-3-video').doStart!({
    prompt: input['prompt'],
    duration,
    aspectRatio: aspect_ratio,
    resolution: 'resolution' in input ? '1920x1080' : undefined,
    frameImages: [
      ...(image
        ? [{ frameType: 'first_frame', image: { type: 'file', data: bytes, mediaType: 'image/png' } }]
        : []),
      ...(last_frame ? [{ frameType: 'last_frame', image: at(url, 'image/png') }] : []),
    ],
    inputReferences: video ? [at(video, 'video/mp4')] : [],
    providerOptions: {},
    n: 1,
    ...more,
  } as never)
  await submit(input)
  const [theirs, own] = bodies()
  expect(own).toEqual(theirs)
})
