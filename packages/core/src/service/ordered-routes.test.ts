import { expect, test } from 'vitest'
import { cheapestFirst, fastestFirst, routeModel, type RouteOrder } from '@genmount/core'
import { limits } from '@genmount/core/limits'
import {
  type FakeBehaviour,
  fakeProvider,
  fakeWorld,
  manualClock,
  quietLog,
  refused,
} from '@genmount/testing'

const busy: FakeBehaviour = { submit: refused() }

/** A service whose model `flux` has the routes `a`, `b` and `c`, which cost 3, 2 and 1 US dollars. */
function setUp(
  order: RouteOrder,
  behave: Readonly<Record<string, readonly [FakeBehaviour, ...FakeBehaviour[]]>> = {},
  spendUsdPerDay = 100,
) {
  const clock = manualClock()
  const log = quietLog()
  const providers = Object.fromEntries(
    Object.entries({ a: 3, b: 2, c: 1 }).map(([name, usd]) => {
      const price = { text: `${usd} USD`, per: 'image', usd }
      const models = fakeProvider().models.map((model) => ({ ...model, price }))
      const behaviour = behave[name] ?? ([{ costUsd: usd, delayMs: 1000 }] as const)
      return [name, fakeProvider({ name, clock, models, behave: behaviour })] as const
    }),
  )
  const routes = Object.values(providers).map((provider) => ({
    provider,
    model: 'fake-image',
    name: provider.name,
  }))
  const flux = routeModel({ id: 'flux', routes, order })
  const plugins = [limits({ spendUsdPerDay })] as const
  const world = fakeWorld({ clock }, { clock, log, providers: [flux], plugins })
  const create = (input = {}) => world.create(input, { model: 'flux' })
  const submitted = () =>
    Object.entries(providers).flatMap(([name, { submits }]) => submits.map(({ at }) => ({ name, at })))
  const tried = () =>
    submitted()
      .toSorted((one, other) => one.at - other.at)
      .map(({ name }) => name)
  async function jobAfter(ms: number, id: string) {
    await clock.advance(ms)
    return world.service.get(id, 'alice')
  }
  return { service: world.service, clock, log, create, tried, jobAfter }
}

test('a job goes to the route first that the order of its model names, with the price of that route', async () => {
  const { create, tried, jobAfter, log } = setUp(cheapestFirst())
  const { id } = await create()
  expect(await jobAfter(60_000, id)).toMatchObject({
    phase: 'completed',
    route: 'c',
    costUsd: 1,
    reservedUsd: 1,
  })
  expect(tried()).toEqual(['c'])
  expect(log.lines).toContain(`Job ${id} goes by the route c first: cheapest: 1 USD.`)
})

test('a job whose first route refuses goes on in its own order, and then over the routes that the order left out', async () => {
  const onlyC: RouteOrder = () => ({ routes: ['c'], why: 'preferred by alice' })
  const { create, tried, jobAfter } = setUp(onlyC, { c: [busy], a: [busy] })
  const { id } = await create()
  expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed', route: 'b' })
  expect(tried()).toEqual(['c', 'a', 'b'])
})

test('when all routes refuse, the job begins again with the first of its own order', async () => {
  const { create, tried, jobAfter } = setUp(cheapestFirst(), {
    a: [busy, {}],
    b: [busy, {}],
    c: [busy, { costUsd: 1 }],
  })
  const { id } = await create()
  expect(await jobAfter(120_000, id)).toMatchObject({ phase: 'completed', route: 'c' })
  expect(tried()).toEqual(['c', 'b', 'a', 'c'])
})

test('the order sees the owner, the input and the metadata, and the routes with their prices, weights and states', async () => {
  const calls: unknown[] = []
  const { service } = setUp((...call) => void calls.push(call))
  const metadata = { plan: 'gold' }
  await service.create({ owner: 'bob', model: 'flux', input: { prompt: 'a fox' }, metadata })
  expect(calls).toEqual([
    [
      { owner: 'bob', keyId: undefined, model: 'flux', input: { num_outputs: 1, prompt: 'a fox' }, metadata },
      [3, 2, 1].map((usd, index) => ({
        name: 'abc'[index],
        provider: 'abc'[index],
        model: 'fake-image',
        weight: 1,
        usd,
        medianMs: undefined,
        isOpen: true,
      })),
    ],
  ])
})

test('a new job goes to the route whose jobs have ended soonest', async () => {
  const { create, clock, tried } = setUp(
    fastestFirst(),
    {
      a: [{ delayMs: 20_000 }],
      b: [{ delayMs: 3000 }],
      c: [{ delayMs: 9000 }],
    },
    1000,
  )
  for (let job = 0; job < 3; job++) {
    await create()
    await clock.advance(60_000)
  }
  expect(tried().toSorted()).toEqual(['a', 'b', 'c'])
  for (let job = 0; job < 40; job++) {
    await create()
    await clock.advance(60_000)
  }
  expect(tried().filter((name) => name === 'b').length).toBeGreaterThan(30)
})

test('an estimate names the price of the route that would be tried first, and writes no line into the log', async () => {
  const { service, log } = setUp(cheapestFirst())
  const { costUsd, refusal } = await service.estimate({
    owner: 'bob',
    model: 'flux',
    input: { prompt: 'a fox' },
  })
  expect([costUsd, refusal]).toEqual([1, undefined])
  expect(log.lines.join()).not.toContain('goes by the route')
})

test.each<[string, RouteOrder, string]>([
  ['throws', () => Promise.reject(new Error('no preferences')), 'no preferences'],
  ['names no route', () => ({ routes: ['d'], why: 'x' }), 'one of a, b, c'],
  ['returns something else', () => 'a' as never, 'must return { routes, why }'],
])('a job whose order %s goes by the declared order, and the log says why', async (_what, order, words) => {
  const { service, log, clock } = setUp(order, {}, 2.5)
  const limitless = { owner: 'bob', model: 'flux', input: { prompt: 'a fox' } }
  const creating = service.create({ ...limitless }).catch((error: unknown) => error)
  await clock.advance(1000)
  // The first route costs 3 US dollars, and the budget is 2.50.
  expect(await creating).toMatchObject({ code: 'insufficient_quota' })
  expect(log.lines.join()).toContain(words)
})

test('an order that never answers holds a create up for half a second', async () => {
  const { service, clock, log } = setUp(() => new Promise(() => {}))
  let isOver = false
  const creating = service
    .create({ owner: 'bob', model: 'flux', input: { prompt: 'a fox' } })
    .catch(() => {})
    .finally(() => (isOver = true))
  await clock.advance(400)
  expect(isOver).toBe(false)
  await clock.advance(300)
  await creating
  expect(log.lines.join()).toContain('order of the model flux')
})

test('a retry of a failed job is ordered anew', async () => {
  let first = 'c'
  const { service, create, jobAfter } = setUp(() => ({ routes: [first], why: 'chosen by the test' }), {
    c: [{ failure: { code: 'provider_rejected' } }],
  })
  const { id } = await create()
  expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'failed', route: 'c' })
  first = 'b'
  const again = await service.retry(id)
  expect(await jobAfter(60_000, again.id)).toMatchObject({ phase: 'completed', route: 'b' })
})
