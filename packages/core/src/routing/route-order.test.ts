import { afterEach, expect, test, vi } from 'vitest'
import { byWeight, cheapestFirst, fastestFirst, type RouteOffer, type RouteOrder } from './route-order.ts'

const order = { owner: 'alice', keyId: undefined, model: 'flux', input: {}, metadata: undefined }

function offer(name: string, more: Partial<RouteOffer> = {}): RouteOffer {
  return {
    name,
    provider: name,
    model: 'm',
    weight: 1,
    usd: undefined,
    medianMs: undefined,
    isOpen: true,
    ...more,
  }
}

const chosen = (by: RouteOrder, ...offers: readonly RouteOffer[]) => by(order, offers)

afterEach(() => vi.restoreAllMocks())

test('the cheapest route comes first, and routes without a known price come last, in their order', () => {
  const offers = [offer('unknown'), offer('dear', { usd: 0.2 }), offer('odd'), offer('cheap', { usd: 0.025 })]
  expect(chosen(cheapestFirst(), ...offers)).toEqual({
    routes: ['cheap', 'dear', 'unknown', 'odd'],
    why: 'cheapest: 0.025 USD',
  })
})

test('a free route is the cheapest', () => {
  expect(chosen(cheapestFirst(), offer('paid', { usd: 1 }), offer('free', { usd: 0 }))).toMatchObject({
    routes: ['free', 'paid'],
  })
})

test('without any known price, the cheapest route is not known, and the declared order stays', () => {
  expect(chosen(cheapestFirst(), offer('one'), offer('other'))).toBeUndefined()
})

test('the route with the shortest time comes first, and a route without any time before it, to be measured', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.9)
  const [slow, quick] = [offer('slow', { medianMs: 9000 }), offer('quick', { medianMs: 800.4 })]
  expect(chosen(fastestFirst(), slow, quick)).toEqual({ routes: ['quick', 'slow'], why: 'fastest: 800 ms' })
  expect(chosen(fastestFirst(), slow, quick, offer('new'))).toEqual({
    routes: ['new', 'quick', 'slow'],
    why: 'not measured yet',
  })
})

test('one job in twenty goes to a slower route first, so that a vendor that has become faster is noticed', () => {
  const offers = [
    offer('quick', { medianMs: 1 }),
    offer('slow', { medianMs: 2 }),
    offer('slower', { medianMs: 3 }),
  ]
  const firsts = { quick: 0, slow: 0, slower: 0 }
  for (let job = 0; job < 20_000; job++) {
    const choice = fastestFirst()(order, offers) as { readonly routes: readonly (keyof typeof firsts)[] }
    firsts[choice.routes[0]!]++
  }
  expect(firsts.slow + firsts.slower).toBeGreaterThan(800)
  expect(firsts.slow + firsts.slower).toBeLessThan(1200)
  expect(firsts.slower).toBeGreaterThan(300)
})

test('with a single route, the fastest route is that one', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  expect(chosen(fastestFirst(), offer('only', { medianMs: 5 }))).toMatchObject({ routes: ['only'] })
})

test('jobs are spread over the routes in proportion to their weights, and a route of weight 0 always comes last', () => {
  const offers = [offer('idle', { weight: 0 }), offer('one'), offer('three', { weight: 3 })]
  const firsts = { one: 0, three: 0, idle: 0 }
  for (let job = 0; job < 20_000; job++) {
    const choice = byWeight()(order, offers) as { readonly routes: readonly (keyof typeof firsts)[] }
    firsts[choice.routes[0]!]++
    expect(choice.routes[2]).toBe('idle')
  }
  expect(firsts.three / firsts.one).toBeGreaterThan(2.7)
  expect(firsts.three / firsts.one).toBeLessThan(3.3)
})
