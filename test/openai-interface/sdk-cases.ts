import { fakeFile } from '@genmount/testing'
import OpenAI, { toFile } from 'openai'
import { expect } from 'vitest'

const png = fakeFile('image').bytes
const isPng = (base64 = '') => Buffer.from(base64, 'base64').subarray(1, 4).toString() === 'PNG'
const picture = (name: string) => toFile(png, name, { type: 'image/png' })
const fox = { model: 'painter', prompt: 'a fox' }
const kite = { model: 'filmer', prompt: 'a kite' }

/** What OpenAI's SDK does with the interface, on every host. */
export const sdkCases: Readonly<Record<string, (sdk: OpenAI) => Promise<void>>> = {
  async 'four pictures as base64'(sdk) {
    const { data } = await sdk.images.generate({ ...fox, n: 4 })
    expect(data?.map(({ b64_json }) => isPng(b64_json))).toEqual([true, true, true, true])
  },

  async 'a picture as a link'(sdk) {
    const { data } = await sdk.images.generate({ ...fox, response_format: 'url' })
    expect(new Uint8Array(await (await fetch(data![0]!.url!)).arrayBuffer())).toEqual(png)
  },

  async 'an edit with two pictures and a mask'(sdk) {
    const image = [await picture('a.png'), await picture('b.png')]
    const { data } = await sdk.images.edit({ ...fox, image, mask: await picture('mask.png') })
    expect(isPng(data?.[0]?.b64_json)).toBe(true)
  },

  async 'a stream with previews'(sdk) {
    const more = { delay_ms: 4000, preview: true } as object
    const body = { model: 'fake-image', prompt: 'a fox', stream: true as const, partial_images: 1, ...more }
    const types: string[] = []
    for await (const { type } of await sdk.images.generate(body)) types.push(type)
    expect(types).toEqual(['image_generation.partial_image', 'image_generation.completed'])
  },

  async 'a film that is followed, downloaded, remixed, listed and deleted'(sdk) {
    const { id, status } = await completed(sdk, await sdk.videos.create({ ...kite, size: '1280x720' }))
    expect(status).toBe('completed')
    const content = await sdk.videos.downloadContent(id)
    expect(new Uint8Array(await content.arrayBuffer())).toEqual(fakeFile('video').bytes)
    const remix = await sdk.videos.remix(id, { prompt: 'at night' })
    expect((await completed(sdk, remix)).remixed_from_video_id).toBe(id)
    expect((await sdk.videos.list({ limit: 2 })).data.map((video) => video.id)).toEqual([remix.id, id])
    expect((await sdk.videos.delete(id)).deleted).toBe(true)
  },

  async 'the class of each error'(sdk) {
    const generate = (body: object, client = sdk) => client.images.generate({ ...fox, ...body } as never)
    const keyed = sdk.withOptions({ defaultHeaders: { 'Idempotency-Key': crypto.randomUUID() } })
    await generate({}, keyed)
    const film = await sdk.videos.create({
      model: 'fake-video',
      prompt: 'a',
      ...({ delay_ms: 60_000 } as object),
    })
    const calls: readonly (readonly [error: Function, call: () => Promise<unknown>, rest?: object])[] = [
      [OpenAI.AuthenticationError, () => generate({}, sdk.withOptions({ apiKey: 'wrong' }))],
      [OpenAI.BadRequestError, () => generate({ n: 0 }), { param: 'n', type: 'invalid_request_error' }],
      [OpenAI.BadRequestError, () => generate({ model: 'refuser' }), { code: 'moderation_blocked' }],
      [OpenAI.PermissionDeniedError, () => generate({ model: 'forbidden' })],
      [OpenAI.NotFoundError, () => generate({ model: 'none' }), { code: 'model_not_found' }],
      [OpenAI.NotFoundError, () => sdk.videos.retrieve('gen_none')],
      [OpenAI.ConflictError, () => sdk.videos.delete(film.id)],
      [OpenAI.UnprocessableEntityError, () => generate({ prompt: 'a cat' }, keyed)],
      [OpenAI.RateLimitError, () => generate({ model: 'crowded' }), { code: 'rate_limit_exceeded' }],
      [OpenAI.InternalServerError, () => generate({ model: 'breaker' }), { code: 'provider_failed' }],
    ]
    for (const [kind, call, rest = {}] of calls) {
      const error = await call().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(kind)
      expect(error).toMatchObject(rest)
    }
  },
}

async function completed(sdk: OpenAI, { id }: { readonly id: string }) {
  for (;;) {
    const video = await sdk.videos.retrieve(id)
    if (video.status === 'completed' || video.status === 'failed') return video
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
