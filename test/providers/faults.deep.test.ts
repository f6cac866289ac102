import { afterEach, describe, expect, test } from 'vitest'
import { vendorCases } from './hosted-vendors.ts'
import type { VendorCase } from './vendor-case.ts'
import {
  enormous,
  htmlPage,
  inWords,
  resetAfter,
  resetBefore,
  saying,
  silence,
  truncated,
} from './troubles.ts'
import type { Trouble } from './vendor-server.ts'
import { leaksIn, type VendorWorld, vendorWorld } from './vendor-world.ts'

// All faults that can occur between a service and a vendor, tested with every provider.

let world: VendorWorld
afterEach(() => world.close())

type Arrange = (world: VendorWorld, vendorCase: VendorCase) => void

/** Runs one job in trouble and another job that must not be affected. Returns the outcome of the first job. */
async function outcomeOf(vendorCase: VendorCase, arrange: Arrange) {
  world = await vendorWorld(vendorCase)
  arrange(world, vendorCase)
  const ids = [await world.createInTrouble(), await world.create()]
  const [troubled, beside] = await world.until(ids)
  expect(beside?.phase).toBe('completed')
  expect(beside!.completedAt! - beside!.createdAt).toBeLessThan(30_000)
  expect(leaksIn(JSON.stringify([troubled, world.lines]), world.vendor)).toEqual([])
  expect(JSON.stringify([troubled, world.lines]).length).toBeLessThan(20_000)
  const taken = world.vendor.taken() - 1
  expect(taken).toBeLessThanOrEqual(1)
  return {
    verdict: troubled?.error?.code ?? troubled?.phase,
    taken,
    submits: world.asked.filter(({ step }) => step === 'submit').map(({ at }) => at),
    message: troubled?.error?.message,
  }
}

/** An error in the vendor's words, in which it repeats the key. */
const echo = (status: number, headers?: Record<string, string>): Arrange => {
  return (world, { error }) => {
    const body = error(`Authorization: Key ${world.vendor.secrets.join()} is wrong.`)
    world.trouble('submit', saying(status, body, headers))
  }
}

const onSubmit =
  (trouble: Trouble): Arrange =>
  (world) =>
    world.trouble('submit', trouble, 1)

const retryAfter = {
  seconds: [() => '7', 7_000],
  // The header is made when it is sent, so that in a slow run its instant is not in the past.
  'a date': [() => new Date(Date.now() + 90_000).toUTCString(), 30_000],
  nonsense: [() => 'soon, I think', 1],
} as const

describe.each(Object.entries(vendorCases))('%s', (_name, vendorCase) => {
  test.each([401, 402, 403, 404, 409, 422])(
    'a submit that is answered with %i fails as provider_rejected and costs nothing, unless it says that the vendor has the job',
    async (status) => {
      const { verdict, taken, submits, message } = await outcomeOf(vendorCase, echo(status))
      const isTaken = status === 409 && vendorCase.hasJobAt409
      expect([verdict, taken, submits.length]).toEqual([
        isTaken ? 'provider_lost' : 'provider_rejected',
        0,
        1,
      ])
      expect(message?.includes('is wrong')).toBe(status > 403 && !isTaken)
    },
  )

  test.each(Object.entries(retryAfter))(
    'a submit that is answered with 429 and a Retry-After of %s is repeated and paid for once',
    async (_how, [value, leastMs]) => {
      const { verdict, taken, submits } = await outcomeOf(vendorCase, (world, { error }) =>
        world.trouble('submit', saying(429, error('Slow down.'), { 'retry-after': value() }), 1),
      )
      expect([verdict, taken, submits.length]).toEqual(['completed', 1, 2])
      expect(submits[1]! - submits[0]!).toBeGreaterThanOrEqual(leastMs)
      expect(submits[1]! - submits[0]!).toBeLessThan(leastMs + 100_000)
    },
  )

  test('a submit that is answered with 429 and a Retry-After of ten days fails at the deadline and costs nothing', async () => {
    const { verdict, taken, submits } = await outcomeOf(vendorCase, echo(429, { 'retry-after': '864000' }))
    expect([verdict, taken, submits.length]).toEqual(['deadline_exceeded', 0, 1])
  })

  test.each<[string, number, Trouble]>([
    ['408', 0, saying(408, {})],
    ['500', 0, saying(500, {})],
    ['503', 0, saying(503, {})],
    ['a page of a proxy', 0, htmlPage],
    ['a reset before it is taken on', 0, resetBefore],
    ['a reset after it is taken on', 1, resetAfter],
    ['a silence that does not end', 1, silence],
    ['half of its JSON', 1, truncated],
    ['50 MB of nonsense', 1, enormous],
  ])('a submit that is answered with %s is paid for at most once', async (what, taken, trouble) => {
    const outcome = await outcomeOf(vendorCase, onSubmit(trouble))
    const isFound =
      vendorCase.dedupes || vendorCase.finds === true || (vendorCase.finds === 'arrived' && taken === 1)
    if (isFound) expect([outcome.verdict, outcome.taken]).toEqual(['completed', 1])
    else {
      const isRead = vendorCase.knowsNonsense && /JSON|MB/.test(what)
      const verdict = isRead ? 'output_invalid' : 'submit_ambiguous'
      expect([outcome.verdict, outcome.taken, outcome.submits.length]).toEqual([verdict, taken, 1])
    }
  })

  test('a submit that is answered after 30 seconds completes the job and is paid for once', async () => {
    const { verdict, taken, submits } = await outcomeOf(vendorCase, (world) => {
      world.trouble('submit', silence)
      world.clock.after(30_000, world.release)
    })
    expect([verdict, taken, submits.length]).toEqual(['completed', 1, 1])
  })

  test.each([
    ['no output', undefined],
    ['null for its place', null],
    ['a javascript: URL', 'javascript:alert(1)'],
    ['an http: URL in the own network', 'http://169.254.169.254/latest/meta-data'],
  ])('a task that ends with %s fails the job as output_invalid', async (_what, url) => {
    const { verdict } = await outcomeOf(vendorCase, (world, { ended }) =>
      world.trouble(ended(url).step, inWords(ended(url))),
    )
    const { isDurable, knowsNonsense } = vendorCase
    const isSeen = isDurable || knowsNonsense || url === undefined
    expect(verdict).toBe(isSeen ? 'output_invalid' : 'submit_ambiguous')
  })
})

const durable = Object.entries(vendorCases).filter(([, { isDurable }]) => isDurable)

describe.each(durable)('%s', (_name, vendorCase) => {
  const { ended, error, strange } = vendorCase

  const noNews: [string, Trouble][] = [
    ...[401, 402, 403, 408, 429, 500, 503].map((status): [string, Trouble] => [
      String(status),
      { instead: () => ({ status, json: error(world.vendor.secrets.join()) }) },
    ]),
    ...Object.entries(retryAfter).map(([how, [value]]): [string, Trouble] => [
      `429 and ${how}`,
      { instead: () => ({ status: 429, headers: { 'retry-after': value() } }) },
    ]),
    ['404', saying(404, {})],
    ['a page of a proxy', htmlPage],
    ['a redirect', saying(302, {}, { location: 'http://169.254.169.254/' })],
    ['a reset', resetBefore],
    ['a silence that does not end', silence],
    ['half of its JSON', truncated],
    ['50 MB of nonsense', enormous],
  ]
  const steps = [...new Set(['poll' as const, ended('').step])]

  test.each([
    ...steps.flatMap((step) => noNews.map(([what, trouble]) => [step, what, trouble] as const)),
    ['poll', '409', saying(409, {})] as const,
    ['poll', 'null', saying(200, null)] as const,
    [strange!.step, 'a word that nobody knows', inWords(strange!)] as const,
  ])(
    'a %s request that is answered with %s is repeated, and the job completes',
    async (step, _what, trouble) => {
      const { verdict, taken, submits } = await outcomeOf(vendorCase, (world) =>
        world.trouble(step, trouble, 1),
      )
      expect([verdict, taken, submits.length]).toEqual(['completed', 1, 1])
    },
  )

  test('a poll that is answered after 40 seconds is repeated, and the job completes', async () => {
    const { verdict } = await outcomeOf(vendorCase, (world) => {
      world.trouble('poll', silence, 1)
      world.clock.after(40_000, world.release)
    })
    expect(verdict).toBe('completed')
  })

  test('a poll that is answered with a Retry-After of ten days fails the job at its deadline', async () => {
    const { verdict, taken } = await outcomeOf(vendorCase, (world) =>
      world.trouble('poll', saying(429, {}, { 'retry-after': '864000' })),
    )
    expect([verdict, taken]).toEqual(['deadline_exceeded', 1])
  })

  test('a task that the vendor has forgotten fails as provider_lost after 5 minutes, or at its deadline if the vendor hides that, and is not repeated', async () => {
    world = await vendorWorld(vendorCase)
    const lost = await world.createInTrouble()
    await world.until([lost], ({ phase }) => phase === 'running')
    world.vendor.forget?.()
    const forgottenAt = world.clock.now()
    const jobs = await world.until([lost, await world.create()])
    const verdict = vendorCase.hidesForgotten ? 'deadline_exceeded' : 'provider_lost'
    expect(jobs.map(({ phase, error }) => error?.code ?? phase)).toEqual([verdict, 'completed'])
    expect([world.vendor.taken(), world.asked.filter(({ step }) => step === 'submit').length]).toEqual([2, 1])
    const polls = world.asked.filter(({ step, at }) => step === 'poll' && at >= forgottenAt)
    expect(polls.length).toBeGreaterThanOrEqual(3)
    expect(polls.at(-1)!.at - polls[0]!.at).toBeGreaterThanOrEqual(300_000)
  })
})
