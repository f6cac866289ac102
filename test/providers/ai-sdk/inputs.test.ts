import { fakeFile } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { aiSdkProvider } from '@genmount/provider-ai-sdk'
import type { FileFetch } from '@genmount/core'
import { modelsAt, vendorOf } from './vendors.ts'

const { bytes } = fakeFile('image')
const base64 = Buffer.from(bytes).toString('base64')
const dataUri = `data:image/png;base64,${base64}`
const url = 'https://pictures.example.com/fox.png'

/** The request that reaches the vendor's server when a client sends this input. */
async function sent(model: string, input: object, options: object = {}) {
  const sdkVendor = vendorOf(model)
  const vendor = await sdkVendor.fake()
  onTestFinished(() => vendor.close())
  const fetched: string[] = []
  const fetchFile: FileFetch = async (url) => {
    fetched.push(url)
    return { body: new Blob([bytes]).stream() }
  }
  const provider = aiSdkProvider({
    models: { it: { model: modelsAt(sdkVendor, vendor.origin)[model]!, ...options } },
    fetchFile,
  })
  const given = await provider.models[0]!.input['~standard'].validate(input)
  if (given.issues) throw new Error(given.issues.map(({ message }) => message).join())
  const report = await provider.submit(
    { jobId: 'j', clientToken: 't', model: 'it', input: given.value as Record<string, never> },
    { signal: new AbortController().signal },
  )
  const { url: { pathname } = {}, body = Buffer.of(), headers } = vendor.requests[0] ?? {}
  const isJson = headers?.['content-type'] === 'application/json'
  return {
    report,
    path: pathname,
    body: isJson ? JSON.parse(String(body)) : body.toString('latin1'),
    fetched,
  }
}

test('the fields of a text-to-video job become the parameters of each AI SDK vendor', async () => {
  const input = { prompt: 'a fox', resolution: '720p', aspect_ratio: '9:16', duration: 8, seed: 7 }
  expect((await sent('google-video', input)).body).toEqual({
    instances: [{ prompt: 'a fox' }],
    parameters: { sampleCount: 1, aspectRatio: '9:16', resolution: '720p', durationSeconds: 8, seed: 7 },
  })
  expect((await sent('replicate-video', { ...input, fps: 24 })).body).toEqual({
    input: { prompt: 'a fox', aspect_ratio: '9:16', size: '1280x720', duration: 8, fps: 24, seed: 7 },
  })
  expect((await sent('fal-video', input)).body).toEqual({
    prompt: 'a fox',
    aspect_ratio: '9:16',
    duration: '8s',
    seed: 7,
  })
  expect((await sent('xai-video', { ...input, sound: false })).body).toMatchObject({
    resolution: '720p',
    generate_audio: false,
  })
})

test('an image-to-video job sends the bytes of the picture, given as URL or data URI', async () => {
  for (const image of [dataUri, url]) {
    const { body, fetched } = await sent('google-video', { prompt: 'it runs', image, last_frame: image })
    const picture = { bytesBase64Encoded: base64, mimeType: 'image/png' }
    expect(body).toMatchObject({ instances: [{ prompt: 'it runs', image: picture, lastFrame: picture }] })
    // Once, though it is given twice.
    expect(fetched.length).toBe(image === url ? 1 : 0)
  }
  const { body } = await sent('replicate-video', { image: url })
  expect(body).toEqual({ input: { image: dataUri } })
})

test('reference_images are sent to the vendor of an AI SDK video model', async () => {
  const { body } = await sent('xai-video', { prompt: 'a fox', reference_images: [dataUri, url] })
  expect(body).toMatchObject({ reference_images: [{ url: dataUri }, { url: dataUri }] })
})

test('passImageUrls sends the URLs of pictures to the vendor without fetching them', async () => {
  const { body, fetched } = await sent('luma-image', { prompt: 'a fox', image: url }, { passImageUrls: true })
  expect(body).toMatchObject({ image: [{ url, weight: 0.85 }] })
  expect(fetched).toEqual([])
})

test('the fields of a text-to-image job become the parameters of each AI SDK vendor', async () => {
  const { body, path } = await sent('openai-image', { prompt: 'a fox', size: '1024x1536', num_outputs: 3 })
  expect(path).toBe('/v1/images/generations')
  expect(body).toEqual({ model: 'gpt-image-2', prompt: 'a fox', n: 3, size: '1024x1536' })
  expect((await sent('google-image', { prompt: 'a fox', aspect_ratio: '16:9' })).body).toMatchObject({
    generationConfig: { imageConfig: { aspectRatio: '16:9' }, responseModalities: ['IMAGE'] },
  })
})

test('the pictures and the mask of an edit are sent to the vendor of an AI SDK image model', async () => {
  const { body, path } = await sent('openai-image', { prompt: 'a hat', image: [dataUri, url], mask: dataUri })
  expect(path).toBe('/v1/images/edits')
  expect([...body.matchAll(/name="([\w[\]]+)"/g)].map(([, name]) => name)).toEqual(
    expect.arrayContaining(['model', 'prompt', 'image[]', 'image[]', 'mask', 'n']),
  )
  expect((await sent('fal-image', { prompt: 'a hat', image: dataUri })).body).toMatchObject({
    image_url: dataUri,
  })
})

test('allowed provider_options are sent to the vendor, and providerOptions of the app win over them', async () => {
  const options = {
    providerOptions: { openai: { quality: 'low' } },
    allowedProviderOptions: ['openai'],
  }
  const provider_options = { openai: { quality: 'high', background: 'opaque' } }
  const { body } = await sent('openai-image', { prompt: 'a fox', provider_options }, options)
  expect(body).toMatchObject({ quality: 'low', background: 'opaque' })
})

test('a job with provider_options that the model rejects fails and costs nothing', async () => {
  const provider_options = { openai: { quality: 'breathtaking' } }
  const { report, body } = await sent(
    'openai-image',
    { prompt: 'a fox', provider_options },
    { allowedProviderOptions: ['openai.quality'] },
  )
  expect(report).toMatchObject({ state: 'failed', code: 'provider_rejected' })
  expect(body).toBe('')
})

test('a job with a mask for a model without masks fails and costs nothing', async () => {
  const { report, body } = await sent('google-image', { prompt: 'a hat', image: dataUri, mask: dataUri })
  expect(report).toMatchObject({
    state: 'failed',
    code: 'provider_rejected',
    message: 'This model does not accept a mask.',
  })
  expect(body).toBe('')
})

test('a job with more num_outputs than the model makes in one call is refused', async () => {
  await expect(sent('xai-image', { prompt: 'a fox', num_outputs: 4 })).rejects.toThrow('from 1 to 3')
  const { body } = await sent('replicate-image', { prompt: 'a fox', num_outputs: 4 }, { maxOutputs: 4 })
  expect(body).toMatchObject({ input: { num_outputs: 4 } })
})
