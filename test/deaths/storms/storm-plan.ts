import fc from 'fast-check'
import { dayMs } from '../campaign/campaign.ts'
import { vendorKinds } from '../vendor/task-wish.ts'
import type { Storm } from './ride-storm.ts'

/** A client that wants one job. */
export type PlannedClient = ReturnType<typeof planStorm>['clients'][number]

const often = (percent: number) => fc.nat(99).map((lot) => lot < percent)
const mixed = <Value>(percent: number, some: fc.Arbitrary<Value>, others: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: percent, arbitrary: some }, { weight: 100 - percent, arbitrary: others })
const none = fc.constant(0)

/** Longer than closing services once waited for all calls, at ten times the speed of the clock. */
const slowAnswer = fc.integer({ min: 8000, max: 9500 })

/** By how much a clock may be ahead, in milliseconds. */
const wrongClock = mixed(
  40,
  fc.constantFrom(-dayMs, 0, 8 * dayMs),
  fc.integer({ min: -dayMs, max: 8 * dayMs }),
)

const randomClient = (hasSlowCalls: boolean) =>
  fc.record({
    wish: fc.record({
      prepare_ms: mixed(30, fc.nat(399), none),
      task_ms: fc.integer({ min: 20, max: 299 }),
      answer_ms: hasSlowCalls ? mixed(30, slowAnswer, none) : mixed(50, fc.nat(999), none),
      outputs: fc.integer({ min: 1, max: 2 }),
      as: mixed<'url' | 'bytes'>(70, fc.constant('url'), fc.constant('bytes')),
      fails: often(10),
      poll_after_ms: fc.integer({ min: 1000, max: 4999 }),
      loses_answer: often(15),
    }),
    hasKey: often(50),
    hasWebhook: often(50),
    waits: often(50),
    /** Whether the client uploads a picture first, to which its order refers. */
    hasPicture: often(30),
    /** What the client does with its job: cancels it some time after the create, or deletes it when it has finished. */
    change: fc.constantFrom('cancel', 'delete', 'none', 'none', 'none'),
    cancelsAfterMs: fc.nat(799),
  })

/**
 * Plans everything that is random in a storm. The plan is the same for the same seed; the timing on the machine is not.
 * Durations are in milliseconds of the system.
 */
export function planStorm(
  { blows, models = vendorKinds, hasSlowCalls = false }: Storm,
  seed: number,
  lastsMs: number,
  serverCount: number,
  blowCount: number,
) {
  const sample = <Value>(values: fc.Arbitrary<Value>, numRuns: number) =>
    fc.sample(values, { seed, numRuns, unbiased: true })
  /** The number of the server that a client asks first, or that a blow hits. If it is frozen, the blow hits the next one. */
  const server = fc.nat(serverCount - 1)
  const jobCount = lastsMs / 100
  const client = fc.tuple(randomClient(hasSlowCalls), fc.constantFrom(...models), server)
  const clients = sample(client, jobCount).map(
    ([{ wish, hasKey, hasWebhook, ...habits }, model, asked], index) => ({
      ...habits,
      startsAfterMs: (lastsMs * index) / jobCount,
      server: asked,
      order: {
        owner: index % 2 === 0 ? 'alice' : 'bob',
        model,
        wish: { ...wish, prompt: `order ${index}` },
        idempotencyKey: hasKey ? `key ${index}` : undefined,
        hasWebhook,
      },
    }),
  )
  /** In each round all blows come, in a random order. */
  const round = fc.shuffledSubarray([...blows], { minLength: blows.length })
  const struck = sample(round, Math.ceil(blowCount / blows.length))
    .flat()
    .slice(0, blowCount)
  const places = sample(server, blowCount)
  const clocks = sample(wrongClock, blowCount)
  const planned = struck.map((blow, index) => ({
    blow,
    place: places[index] ?? 0,
    aheadMs: clocks[index] ?? 0,
  }))
  return { clients, blows: planned }
}
