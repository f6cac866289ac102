import { createGenerationService, type Provider } from '@genmount/core'
import { comfyRouterProvider, type ComfyRouterOptions } from '@genmount/provider-comfyui/router'
import { comfyRouterModels } from '@genmount/provider-comfyui/router-models'
import { quietLog } from '@genmount/testing'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type ComfyRouterFake, comfyRouterFake, type Document, error, token } from './comfy-router-fake.ts'

// `kling/kling-3.0-turbo` as the Router publishes it (Comfy-Org/docs router-schemas at 0126e16, read on 2026-11-27, without prose):
// it refers to other places, and has two places for the same thing, of which the example shows the one that counts.
const turbo: Document = {
  model: 'kling/kling-3.0-turbo',
  outputs: ['video'],
  schema: {
    type: 'object',
    required: ['prompt'],
    example: {
      prompt: 'A neon-lit alley.',
      settings: { aspect_ratio: '16:9', duration: 5, resolution: '1080p' },
    },
    properties: {
      aspect_ratio: { $ref: '#/components/schemas/KlingVideoGenAspectRatio' },
      duration: { $ref: '#/components/schemas/KlingVideoGenDuration' },
      prompt: { type: 'string', maxLength: 3072 },
      settings: {
        type: 'object',
        properties: {
          aspect_ratio: { type: 'string', enum: ['16:9', '9:16', '1:1'] },
          duration: { type: 'integer', minimum: 3, maximum: 15 },
          resolution: { type: 'string', enum: ['720p', '1080p'] },
        },
      },
    },
  },
  components: {
    KlingVideoGenAspectRatio: { type: 'string', enum: ['16:9', '9:16', '1:1'], default: '16:9' },
    KlingVideoGenDuration: { type: 'string', enum: ['5', '10'] },
  },
}
// As of the models that Comfy has not written down, such as `minimax/minimax-h3` at 37ff82d.
const unwritten: Document = {
  model: 'minimax/minimax-h3',
  outputs: ['video'],
  isAuthored: false,
  schema: { type: 'object', additionalProperties: true },
}
const words: Document = {
  model: 'openai/gpt-5.5',
  outputs: ['text'],
  schema: { type: 'object', properties: { prompt: { type: 'string' } } },
}
const needsMore: Document = {
  model: 'acme/film',
  outputs: ['video'],
  schema: { type: 'object', required: ['prompt', 'mode'], properties: { prompt: { type: 'string' } } },
}

let fake: ComfyRouterFake
beforeEach(async () => {
  fake = await comfyRouterFake({ polls: 1, documents: [turbo, unwritten, words, needsMore] })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await fake.close()
})

const connect = (models: ComfyRouterOptions['models']) =>
  comfyRouterProvider({ token, baseUrl: fake.origin, models })

function start(provider: Provider) {
  const service = createGenerationService({ providers: [provider], log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  service.start()
  const ids = () => service.models.map(({ id }) => id)
  const create = (model: string, input: object) =>
    service.create({ owner: 'alice', model, input: { prompt: 'a fox', ...input } })
  return { service, ids, create }
}

const film = { model: turbo.model, outputKind: 'video' } as const
const reads = () => fake.requests.filter(({ url }) => url.pathname.endsWith('openapi.json')).length
const anHour = async (count: number) => {
  const before = reads()
  vi.advanceTimersByTime(3_600_000)
  await expect.poll(reads).toBe(before + count)
}

test('a model is on offer with the fields and limits of its schema as soon as the schema is read', async () => {
  const { ids, create } = start(connect({ film }))
  expect(ids()).toEqual([])
  await expect.poll(ids).toEqual(['film'])
  await expect(create('film', { duration: 16 })).rejects.toThrow('duration must be one of 3, 4')
  await expect(create('film', { image: 'https://example.com/a.png' })).rejects.toThrow('image is unknown')
  await create('film', { duration: 7, aspect_ratio: '9:16' })
  await expect.poll(() => fake.ledger.length).toBe(1)
  expect(fake.last().body).toEqual({ prompt: 'a fox', settings: { duration: 7, aspect_ratio: '9:16' } })
})

test('a schema that changes is followed within an hour, and one that has not changed is not sent again', async () => {
  const { ids, create } = start(connect({ film }))
  await expect.poll(ids).toEqual(['film'])
  await anHour(1)
  expect(fake.requests.at(-1)!.headers['if-none-match']).toBeTruthy()
  const properties = { prompt: { type: 'string' }, duration: { type: 'integer', enum: [30] } }
  fake.models.set(turbo.model, { ...turbo, schema: { type: 'object', required: ['prompt'], properties } })
  await anHour(1)
  await expect
    .poll(() => create('film', { duration: 7 }).catch(String))
    .toContain('duration must be one of 30')
})

test('an entry of the catalogue is on offer at once, also while the Router can not be read', async () => {
  fake.trouble('openapi.json', { instead: error(503, 'service_unavailable', 'Down'), times: 9 })
  const { service, ids, create } = start(connect([comfyRouterModels.kling3Turbo]))
  expect(ids()).toEqual(['kling-3-turbo'])
  await create('kling-3-turbo', { duration: 7 })
  await service.ready()
})

test('a service whose models all come from the Router says when it is ready that there is none', async () => {
  fake.trouble('openapi.json', { instead: error(503, 'service_unavailable', 'Down'), times: 2 })
  const { service, ids } = start(connect({ film }))
  await expect(service.ready()).rejects.toThrow(
    "the schema of kling/kling-3.0-turbo can't be read: status 503",
  )
  await service.ready()
  expect(ids()).toEqual(['film'])
})

test('with all, each model is on offer that makes images or films and needs no more than the fields of the interface', async () => {
  const { ids } = start(connect('all'))
  await expect.poll(() => ids().length).toBeGreaterThan(5)
  expect(ids().toSorted()).toEqual(
    Object.values(comfyRouterModels)
      .map(({ model }) => model)
      .toSorted(),
  )
})

test("a model whose schema Comfy has not written down takes the fields that the app names, in the partner's words", async () => {
  const h3 = { model: unwritten.model, outputKind: 'video', fields: { duration: 'seconds' } } as const
  const { ids, create } = start(connect({ h3 }))
  expect(ids()).toEqual(['h3'])
  await create('h3', { duration: 6 })
  await expect.poll(() => fake.ledger.length).toBe(1)
  expect(fake.last().body).toEqual({ prompt: 'a fox', seconds: 6 })
})

test("the app's own limits and fields win over those of the schema", async () => {
  const own = { ...film, limits: { duration: [5] }, fields: { aspect_ratio: false } } as const
  const { ids, create } = start(connect({ own }))
  await expect.poll(ids).toEqual(['own'])
  await expect(create('own', { aspect_ratio: '9:16' })).rejects.toThrow('aspect_ratio is unknown')
  await expect.poll(() => create('own', { duration: 7 }).catch(String)).toContain('duration must be')
})
