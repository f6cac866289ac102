import { expect, test } from 'vitest'
import { exampleJob, fakeProvider, manualClock, quietLog } from '@genmount/testing'
import { providerGate, shortageWatch } from './gate.ts'
import { modelRoutes } from './model-routes.ts'
import { type Route, soleRoute } from './routes.ts'

function setUp(...names: string[]) {
  const clock = manualClock(0)
  const shortage = shortageWatch(clock, quietLog())
  const list = names.map((name): Route => {
    const provider = fakeProvider({ name })
    const gate = providerGate(provider, clock, quietLog(), shortage)
    return { name, provider, gate, model: 'm', inputOf: async (input) => input }
  })
  const named = Object.fromEntries(list.map((route) => [route.name, route]))
  const trip = (route: Route | undefined) => {
    for (let job = 0; job < 5; job++)
      route?.gate.breaker.begin('submit', exampleJob({ id: String(job) }))?.('fault')
  }
  const accepted = (route?: string) =>
    exampleJob({ phase: 'accepted', ...(route !== undefined && { route }) })
  const [sole, ...more] = list
  const routes = more.length === 0 ? soleRoute(sole!) : modelRoutes(list, { clock, log: quietLog() })
  return {
    clock,
    routes,
    trip,
    accepted,
    a: named['a'] as Route,
    b: named['b'] as Route,
    c: named['c'] as Route,
  }
}

test('a job takes the first route, and after a refusal the next one', () => {
  const { routes, accepted, a, b, c } = setUp('a', 'b', 'c')
  expect(routes.toSubmit(accepted())).toBe(a)
  expect(routes.refused(a, {}).next).toBe(b)
  expect(routes.toSubmit(accepted('b'))).toBe(b)
  expect(routes.refused(b, {}).next).toBe(c)
  expect(routes.refused(c, {}).next).toBeUndefined()
})

test('a route whose provider fails is skipped, and is first again when the provider works', async () => {
  const { clock, routes, trip, accepted, a, b } = setUp('a', 'b')
  trip(a)
  expect(routes.toSubmit(accepted())).toBe(b)
  expect(routes.refused(b, {}).next).toBeUndefined()
  await clock.advance(30_000)
  expect(routes.toSubmit(accepted())).toBe(a)
})

test('a job whose next route has closed meanwhile takes an open route before it', () => {
  const { routes, trip, accepted, a, b } = setUp('a', 'b')
  trip(b)
  expect(routes.toSubmit(accepted('b'))).toBe(a)
})

test('no job is submitted while the providers of all routes fail', () => {
  const { routes, trip, accepted, a, b } = setUp('a', 'b')
  trip(a)
  trip(b)
  expect(routes.toSubmit(accepted())).toBeUndefined()
  expect(routes.pauseMs()).toBe(30_000)
})

test('a route that asks for a pause gets no submit during it, and the shortest pause of all routes counts', async () => {
  const { clock, routes, accepted, a, b } = setUp('a', 'b')
  expect(routes.refused(a, {}, 90_000).next).toBe(b)
  expect(routes.refused(b, {}, 20_000)).toEqual({ pauseMs: 20_000 })
  await clock.advance(20_000)
  expect(routes.toSubmit(accepted())).toBe(b)
  await clock.advance(70_000)
  expect(routes.toSubmit(accepted())).toBe(a)
})

test('a route that asks for a pause of ten days is closed to later jobs for ten minutes', async () => {
  const { clock, routes, accepted, a, b } = setUp('a', 'b')
  routes.refused(a, {}, 864_000_000)
  expect(routes.toSubmit(accepted())).toBe(b)
  await clock.advance(600_000)
  expect(routes.toSubmit(accepted())).toBe(a)
})

test('a pause that the only route asks for delays only the job that it has refused', () => {
  const { routes, accepted, a } = setUp('a')
  expect(routes.refused(a, {}, 90_000)).toEqual({ pauseMs: 90_000 })
  expect(routes.toSubmit(accepted())).toBe(a)
})

test('a route whose account is refused is skipped for a minute, and fails the job when no other route is left', async () => {
  const { clock, routes, accepted, a, b } = setUp('a', 'b')
  expect(routes.rejected(a, {})?.next).toBe(b)
  expect(routes.toSubmit(accepted())).toBe(b)
  expect(routes.rejected(b, {})).toBeUndefined()
  await clock.advance(60_000)
  expect(routes.toSubmit(accepted())).toBe(a)
  expect(routes.rejected(a, {})?.next).toBe(b)
})

test('a running job is polled at its own route wherever that is listed, and at no other when that is gone', () => {
  const { routes, accepted, b } = setUp('c', 'b', 'a')
  expect(routes.of(accepted('b'))).toBe(b)
  expect(routes.of(accepted('gone'))).toBeUndefined()
  expect(routes.of(accepted())).toBeUndefined()
})

test('a clock that is set neither closes a route for longer nor opens it', async () => {
  const { clock, routes, accepted, a, b } = setUp('a', 'b')
  routes.refused(a, {}, 60_000)
  clock.set(1_000_000_000)
  expect(routes.toSubmit(accepted())).toBe(b)
  clock.set(-1_000_000_000)
  await clock.advance(60_000)
  expect(routes.toSubmit(accepted())).toBe(a)
})

test('a route that refuses a job while its provider fails is first again when the provider works', () => {
  const { routes, trip, accepted, a } = setUp('a', 'b')
  const underWay = a.gate.breaker.begin('submit', accepted())
  trip(a)
  routes.refused(a, {})
  underWay?.('answered')
  expect(routes.toSubmit(accepted())).toBe(a)
})

test('a refusal does not shorten the pause that an earlier refusal has asked for', async () => {
  const { clock, routes, accepted, a, b } = setUp('a', 'b')
  routes.refused(a, {}, 60_000)
  routes.refused(a, {})
  expect(routes.toSubmit(accepted())).toBe(b)
  await clock.advance(60_000)
  expect(routes.toSubmit(accepted())).toBe(a)
})

test('a job with an order of its own takes the routes in that order, and then those that the order leaves out', () => {
  const { routes, a, b, c } = setUp('a', 'b', 'c')
  const job = exampleJob({ phase: 'accepted', routeOrder: ['c', 'gone', 'a'] })
  expect(routes.toSubmit(job)).toBe(c)
  expect(routes.refused(c, job).next).toBe(a)
  expect(routes.refused(a, job).next).toBe(b)
  expect(routes.refused(b, job).next).toBeUndefined()
})
