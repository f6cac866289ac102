import RunwayML from '@runwayml/sdk'
import { runwayProvider } from '@genmount/provider-runway'
import { expect, onTestFinished, test } from 'vitest'
import { film, runwayKey, startRunway } from './runway-fake.ts'

// Runway's own SDK before the same fake: what it takes for Runway is no fantasy.

async function sdkAndFake() {
  const runway = await startRunway()
  onTestFinished(runway.close)
  const sdk = new RunwayML({ apiKey: runwayKey, baseURL: runway.origin, maxRetries: 0 })
  return { sdk, ...runway }
}

test("Runway's own SDK starts a task, follows it and has its output and cost", async () => {
  const { sdk, ledger } = await sdkAndFake()
  const body = { model: 'gen4.5', promptText: 'a fox', ratio: '1280:720', duration: 5 } as const
  const { id, estimatedCost } = await sdk.textToVideo.create(body)
  expect(estimatedCost).toEqual({ credits: 60 })
  expect(ledger).toMatchObject([{ id, endpoint: 'text_to_video', body }])
  expect(await sdk.tasks.retrieve(id)).toMatchObject({ status: 'RUNNING', progress: 0.4 })
  expect(await sdk.tasks.retrieve(id)).toMatchObject({
    status: 'SUCCEEDED',
    output: [film],
    cost: { credits: 60 },
  })
})

test("Runway's own SDK cancels a task, and reads errors as such", async () => {
  const { sdk } = await sdkAndFake()
  const body = { model: 'gen4_image', promptText: 'a fox', ratio: '1024:1024' } as const
  const { id } = await sdk.textToImage.create(body)
  await sdk.tasks.delete(id)
  expect(await sdk.tasks.retrieve(id)).toMatchObject({ status: 'CANCELLED', cost: { credits: 0 } })
  await expect(sdk.tasks.retrieve('unknown')).rejects.toMatchObject({ status: 404 })
  const stranger = sdk.withOptions({ apiKey: 'key_of_nobody' })
  await expect(stranger.tasks.retrieve(id)).rejects.toBeInstanceOf(RunwayML.AuthenticationError)
})

test("the runway provider sends the same request as Runway's SDK", async () => {
  const { sdk, baseUrl, ledger } = await sdkAndFake()
  const uri = 'https://pictures.example.com/fox.png'
  await sdk.imageToVideo.create({
    model: 'veo3.1',
    promptText: 'a fox',
    promptImage: [
      { uri, position: 'first' },
      { uri, position: 'last' },
    ],
    ratio: '720:1280',
    audio: false,
    duration: 8,
  })
  const provider = runwayProvider({
    token: runwayKey,
    baseUrl,
    models: { veo: { model: 'veo3.1', outputKind: 'video' } },
  })
  const fields = { aspect_ratio: '9:16', sound: false, duration: 8 }
  const input = { prompt: 'a fox', image: uri, last_frame: uri, ...fields }
  const { signal } = new AbortController()
  await provider.submit({ jobId: 'j', model: 'veo', input, clientToken: 't' }, { signal })
  const [theirs, ours] = ledger
  expect([ours?.endpoint, ours?.body]).toEqual([theirs?.endpoint, theirs?.body])
})
