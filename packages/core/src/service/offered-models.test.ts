import { expect, test } from 'vitest'
import { createGenerationService, type Model, routeModel } from '@genmount/core'
import { type FakeProviderOptions, fakeProvider, manualClock, quietLog, refused } from '@genmount/testing'

const image = fakeProvider().models[0]!
const modelsNamed = (...ids: readonly string[]): Model[] => ids.map((id) => ({ ...image, id }))

/** A service over one provider that serves the model `old`, with what further providers it may offer. */
function setUp(behave: FakeProviderOptions['behave'] = [{ delayMs: 20_000 }], aliases = {}) {
  const clock = manualClock()
  const provider = (name: string, ...ids: readonly string[]) =>
    fakeProvider({ name, clock, models: modelsNamed(...ids), ...(behave && { behave }) })
  const acme = provider('acme', 'old')
  const log = quietLog()
  const service = createGenerationService({ providers: [acme], aliases, clock, log })
  const create = async (model: string) =>
    (await service.create({ owner: 'alice', model, input: { prompt: 'a fox' } })).job
  async function after(ms: number, id: string) {
    await clock.advance(ms)
    return service.get(id, 'alice')
  }
  return { service, acme, provider, create, after, clock, log }
}

const idsOf = (models: readonly Model[]) => models.map(({ id }) => id)

test('clients can ask for a model from the moment at which it is offered, and no longer for one that is not', async () => {
  const { service, provider, create } = setUp()
  const { models } = service
  service.offer([provider('other', 'new')])
  expect(idsOf(models)).toEqual(['new'])
  expect((await create('new')).model).toBe('new')
  await expect(create('old')).rejects.toMatchObject({
    code: 'model_not_found',
    message: expect.stringContaining('The models are: new.'),
  })
})

test('a running job of a model that is no longer offered is polled by its provider until it has completed', async () => {
  const { service, acme, provider, create, after } = setUp()
  const { id } = await create('old')
  await after(1000, id)
  service.offer([provider('other', 'new')])
  expect(await after(60_000, id)).toMatchObject({ phase: 'completed', provider: 'acme' })
  expect(acme.ledger).toHaveLength(1)
})

test('a job that waits for its submit is submitted to the provider of its model, although the model is no longer offered', async () => {
  const { service, acme, provider, create, after } = setUp([{ submit: refused() }, {}])
  const { id } = await create('old')
  await after(100, id)
  service.offer([provider('other', 'new')])
  expect(await after(60_000, id)).toMatchObject({ phase: 'completed', provider: 'acme' })
  expect(acme.ledger).toHaveLength(1)
})

test('a provider that takes the place of one of its name, with another key, gets the polls of its running jobs', async () => {
  const { service, acme, create, after, clock } = setUp()
  const { id } = await create('old')
  await after(1000, id)
  const calls: string[] = []
  const rotated = fakeProvider({ name: 'acme', clock, models: modelsNamed('renamed') })
  service.offer([{ ...rotated, poll: (...call) => (calls.push('poll'), acme.poll(...call)) }])
  expect(await after(60_000, id)).toMatchObject({ phase: 'completed' })
  expect(calls.length).toBeGreaterThan(0)
})

test('a provider whose own list of models has changed is read anew when it is offered again', async () => {
  const { service, acme, create } = setUp()
  const models = modelsNamed('old', 'newer')
  service.offer([Object.assign(acme, { models })])
  expect(idsOf(service.models)).toEqual(['old', 'newer'])
  expect((await create('newer')).model).toBe('newer')
})

test.each<[string, (world: ReturnType<typeof setUp>) => void, string]>([
  ['no providers', ({ service }) => service.offer([]), 'at least one model'],
  ['no list', ({ service }) => service.offer('acme' as never), 'providers must be a list'],
  [
    'two models of one id',
    ({ service, provider }) => service.offer([provider('a', 'x'), provider('b', 'x')]),
    'both serve the model x',
  ],
  [
    'an alias of a model that is not there',
    ({ service, provider }) => service.offer([provider('a', 'x')], { best: 'y' }),
    "aliases['best']",
  ],
  [
    'an alias that is the id of a model',
    ({ service, provider }) => service.offer([provider('a', 'x')], { x: 'x' }),
    "aliases['x'] is the id of a model",
  ],
  ['aliases of another type', ({ service, acme }) => service.offer([acme], ['x'] as never as {}), 'aliases'],
])('an offer of %s throws a TypeError, and changes nothing', async (_what, offer, words) => {
  const world = setUp(undefined, { best: 'old' })
  expect(() => offer(world)).toThrow(TypeError)
  expect(() => offer(world)).toThrow(words)
  expect(idsOf(world.service.models)).toEqual(['old'])
  expect((await world.create('best')).model).toBe('old')
  const { providers } = await world.service.health()
  expect(providers.map(({ name }) => name)).toEqual(['acme'])
})

test('a job that is ordered by an alias names the model that makes it, and an offer can move the alias', async () => {
  const { service, acme, provider, create } = setUp(undefined, { 'image-best': 'old' })
  expect((await create('image-best')).model).toBe('old')
  service.offer([acme, provider('other', 'new')], { 'image-best': 'new' })
  expect((await create('image-best')).model).toBe('new')
  service.offer([provider('third', 'newest'), acme, provider('fourth', 'new')])
  expect((await create('image-best')).model).toBe('new')
  expect(idsOf(service.models)).toEqual(['newest', 'old', 'new'])
})

test('an alias reaches the routes of a routed model', async () => {
  const clock = manualClock()
  const [a, b] = ['a', 'b'].map((name) => fakeProvider({ name, clock, models: modelsNamed('m') }))
  const routes = [a!, b!].map((provider) => ({ provider, model: 'm' }))
  const flux = routeModel({ id: 'flux', routes })
  const aliases = { best: 'flux' }
  const service = createGenerationService({ providers: [flux], aliases, clock, log: quietLog() })
  const { job } = await service.create({ owner: 'alice', model: 'best', input: { prompt: 'a fox' } })
  await clock.advance(5000)
  expect(await service.get(job.id, 'alice')).toMatchObject({
    model: 'flux',
    phase: 'completed',
    route: 'a/m',
  })
})

test('a close also closes providers that are no longer offered', async () => {
  const { service, acme, provider, clock } = setUp()
  const closed: string[] = []
  const closing = (name: string, ...ids: string[]) => ({
    ...provider(name, ...ids),
    close: async () => void closed.push(name),
  })
  service.offer([closing('first', 'x')])
  service.offer([closing('second', 'y'), acme])
  const closed1 = service.close()
  await clock.advance(5000)
  await closed1
  expect(closed.toSorted()).toEqual(['first', 'second'])
})
