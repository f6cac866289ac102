import { createGenerationService, GenerationError, type Provider } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { openaiInterface } from '@genmount/openai-interface'
import { openrouterProvider, type OpenrouterOptions } from '@genmount/provider-openai/openrouter'
import { quietLog } from '@genmount/testing'
import { openapiDocument } from '@genmount/v1-interface/openapi'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { served } from '../../served.ts'
import {
  openrouterError,
  type OpenrouterFake,
  listedModel,
  openrouterFake,
  token,
  wan,
} from './openrouter-fake.ts'

let fake: OpenrouterFake
beforeEach(async () => {
  fake = await openrouterFake({ polls: 1 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await fake.close()
})

const connect = (options: Partial<OpenrouterOptions> = {}) =>
  openrouterProvider({ token, baseUrl: fake.baseUrl, models: 'all', ...options })

/** A service that has started. */
function start(provider: Provider) {
  const service = createGenerationService({ providers: [provider], log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  service.start()
  const ids = () => service.models.map(({ id }) => id)
  const create = (model: string, input: object) =>
    service.create({ owner: 'alice', model, input: { prompt: 'a fox', ...input } })
  return { service, ids, create }
}

const reads = () => fake.requests.filter(({ url }) => url.pathname.endsWith('/videos/models')).length
const anHour = async () => {
  const before = reads()
  vi.advanceTimersByTime(3_600_000)
  await expect.poll(reads).toBe(before + 1)
}

test("all models of OpenRouter's list are on offer as soon as it is read, and new ones within an hour, without a restart", async () => {
  const { service, ids, create } = start(connect())
  expect(ids()).toEqual([])
  await expect.poll(ids).toEqual(['google/gemini-omni-1.2-flash', 'google/veo-3.1', 'alibaba/wan-3.0'])
  const authenticate = apiKeys({ alice: 'key' })
  const options = { authenticate, interfaces: [openaiInterface()], openapi: openapiDocument() }
  const origin = await served(toNodeHandler(service, options))
  const shown = async (path: string) => {
    const response = await fetch(`${origin}${path}`, { headers: { authorization: 'Bearer key' } })
    return response.text()
  }
  const places = ['/v1/models', '/openai/v1/models', '/v1/openapi.json']
  for (const path of places) expect(await shown(path)).not.toContain('acme/new-film')

  const { job } = await create('google/veo-3.1', {})
  const phase = async () => (await service.get(job.id, 'alice')).phase
  await expect.poll(phase).toBe('running')
  fake.models.splice(1, 1, listedModel('acme/new-film'))
  await anHour()
  await expect.poll(ids).toEqual(['google/gemini-omni-1.2-flash', 'acme/new-film', 'alibaba/wan-3.0'])
  for (const path of places) expect(await shown(path)).toContain('acme/new-film')
  await expect(create('google/veo-3.1', {})).rejects.toThrow(GenerationError)
  vi.useRealTimers()
  // Each read of the job polls OpenRouter, at most once a second.
  await expect.poll(phase, { timeout: 20_000, interval: 300 }).toBe('completed')
})

test('what the list says of a model is refused before it costs anything, and its price is shown and reserved', async () => {
  const models = { film: { model: 'alibaba/wan-3.0' } }
  const { service, create } = start(connect({ models }))
  expect(service.models[0]!.price).toBeUndefined()
  await expect.poll(() => service.models[0]!.price?.text).toBe('0.04 to 0.12 USD per second')
  await expect(create('film', { duration: 7 })).rejects.toThrow('duration must be one of 5, 10')
  await expect(create('film', { sound: true })).rejects.toThrow('sound is unknown')
  const { usdOf } = service.models[0]!.price!
  expect(usdOf!({ duration: 10, resolution: '720p' })).toBe(0.8)
})

test("the app's own limits and price win over those of the list", async () => {
  const film = { model: 'alibaba/wan-3.0', price: 0.2, limits: { duration: [5] } }
  const { service, create } = start(connect({ models: { film } }))
  const [before] = service.models
  await expect.poll(() => service.models[0] === before).toBe(false)
  await expect(create('film', { resolution: '4K', duration: 5 })).rejects.toThrow('resolution')
  await expect(create('film', { duration: 10 })).rejects.toThrow('duration must be')
  expect(service.models[0]!.price).toMatchObject({ usd: 0.2 })
})

test.each([
  ['an error', { instead: openrouterError(503, 'Down') }],
  ['a page', { instead: { body: '<html>' } }],
  ['a broken connection', { instead: 'reset' as const }],
])(
  'a list that can not be read, because of %s, changes nothing, and is read again an hour later',
  async (_, trouble) => {
    const { ids } = start(connect())
    await expect.poll(() => ids().length).toBe(3)
    fake.models.push(listedModel('acme/new-film'))
    fake.trouble('/videos/models', trouble)
    await anHour()
    expect(ids()).toHaveLength(3)
    await anHour()
    await expect.poll(() => ids().length).toBe(4)
  },
)

test('a list that never comes delays neither the start nor the jobs of models that the app names, and ends with the service', async () => {
  fake.trouble('/videos/models', { instead: 'silence' })
  const { service, create } = start(connect({ models: { film: { model: 'alibaba/wan-3.0' } } }))
  await create('film', { duration: 7 })
  await expect.poll(fake.unanswered).toBe(1)
  vi.useRealTimers()
  await service.close()
  await expect.poll(fake.unanswered).toBe(0)
})

test('a service whose models all come from the list says when it is ready that there is none', async () => {
  fake.trouble('/videos/models', { instead: openrouterError(503, 'Down'), times: 2 })
  const { service } = start(connect())
  await expect(service.ready()).rejects.toThrow("OpenRouter's list of models can't be read: status 503.")
  await service.ready()
  expect(service.models).toHaveLength(3)
})

test('models that only enlarge films are not on offer', async () => {
  fake.models.splice(0, 3, listedModel('acme/upscale', { upscale_factor: { min: 1, max: 4 } }), wan)
  const { ids } = start(connect())
  await expect.poll(ids).toEqual(['alibaba/wan-3.0'])
})
