import { expect, test } from 'vitest'
import { createGenerationService, GenerationError, type JsonObject, routeModel } from '@genmount/core'
import { falProvider } from '@genmount/provider-fal'
import { replicateProvider } from '@genmount/provider-replicate'
import { manualClock, quietLog } from '@genmount/testing'
import { z } from 'zod'

const fox = 'https://example.com/fox.png'
const hen = 'https://example.com/hen.png'

/** A model that fal serves first and Replicate second, and what each of them gets. */
function routedFilm({ isFalBusy = false } = {}) {
  const got: { readonly vendor: string; readonly input: unknown }[] = []
  const bodyOf = async (init: RequestInit = {}) =>
    (init.body ? await new Response(init.body).json() : {}) as JsonObject
  const fal = falProvider({
    token: 'id:secret',
    models: {
      film: {
        endpoint: 'acme/film',
        outputKind: 'video',
        fields: { last_frame: 'end_image_url', reference_images: 'image_urls[]', sound: 'generate_audio' },
        inputs: { lora_strength: z.number().max(2).optional() },
      },
    },
    fetch: async (_url, init) => {
      if (isFalBusy) return Response.json({ detail: 'Too many requests.' }, { status: 429 })
      if (init?.method === 'POST') got.push({ vendor: 'fal', input: await bodyOf(init) })
      return Response.json({ request_id: 'r-1', status: 'IN_QUEUE' })
    },
  })
  const replicate = replicateProvider({
    token: 'r8_secret',
    models: {
      film: {
        model: 'acme/film',
        outputKind: 'video',
        fields: { image: 'start_image', last_frame: 'end_image', sound: 'with_audio' },
      },
    },
    fetch: async (_url, init) => {
      if (init?.method === 'POST') got.push({ vendor: 'replicate', input: (await bodyOf(init))['input'] })
      return Response.json({ id: 'p1', status: 'starting' }, { status: 201 })
    },
  })
  const routes = [
    { provider: fal, model: 'film' },
    { provider: replicate, model: 'film' },
  ]
  const clock = manualClock()
  const service = createGenerationService({
    providers: [routeModel({ id: 'film', routes })],
    clock,
    log: quietLog(),
  })
  service.start()
  return {
    got,
    async create(input: JsonObject) {
      const { job } = await service.create({ owner: 'alice', model: 'film', input })
      await clock.advance(100)
      return service.get(job.id, 'alice')
    },
    async close() {
      const closed = service.close()
      await clock.advance(60_000)
      await closed
    },
  }
}

const input = { prompt: 'it runs', image: fox, last_frame: hen, sound: false, duration: 5, seed: 7 }

test("a job with routes at fal and Replicate reaches each of them with the vendor's own names of the fields", async () => {
  const first = routedFilm()
  await first.create(input)
  await first.close()
  expect(first.got).toEqual([
    {
      vendor: 'fal',
      input: {
        prompt: 'it runs',
        image_url: fox,
        end_image_url: hen,
        generate_audio: false,
        duration: '5',
        seed: 7,
      },
    },
  ])
  const second = routedFilm({ isFalBusy: true })
  await second.create(input)
  await second.close()
  expect(second.got).toEqual([
    {
      vendor: 'replicate',
      input: {
        prompt: 'it runs',
        start_image: fox,
        end_image: hen,
        with_audio: false,
        duration: 5,
        seed: 7,
      },
    },
  ])
})

test('a job with a field that only its first route has is not submitted to the second route without the field', async () => {
  const routed = routedFilm({ isFalBusy: true })
  const job = await routed.create({ ...input, reference_images: [hen] })
  await routed.close()
  expect(routed.got).toEqual([])
  expect(job.phase).not.toBe('completed')
})

test.each([
  [{ mask: fox }, 'mask'],
  [{ guidance: 5 }, 'guidance'],
  [{ lora_strength: 3 }, 'lora_strength'],
])('a create with %j is refused as invalid_request, and the error names the field', async (more, param) => {
  const routed = routedFilm()
  const refusal = await routed.create({ ...input, ...more }).catch((error: unknown) => error)
  await routed.close()
  expect(refusal).toBeInstanceOf(GenerationError)
  expect(refusal).toMatchObject({ code: 'invalid_request', param })
  expect(routed.got).toEqual([])
})
