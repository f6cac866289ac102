import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFinished } from '@genmount/core'
import { type FakeBehaviour, type FakeFault, refused } from '@genmount/testing'
import { routedWorld } from './routed-world.ts'

const names = ['a', 'b', 'c'] as const

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const fault = fc.constantFrom<FakeFault>(
  'reset',
  'connection_refused',
  'server_error',
  'hang',
  refused(),
  refused(7000),
  { report: { state: 'dreaming' } },
  { report: { state: 'failed', code: 'provider_rejected', message: 'No credit.', isAccountAtFault: true } },
)
/**
 * Faults after which it is unknown whether the task was accepted. A clear refusal of an accepted task is not among them: no
 * service can protect itself from that.
 */
const unknownOutcome = fc.constantFrom<FakeFault>('reset', 'server_error', 'hang', {
  report: { state: 'dreaming' },
})
const behaviour: fc.Arbitrary<FakeBehaviour> = fc
  .record({
    submit: optional(fault),
    answer: optional(unknownOutcome),
    delayMs: optional(fc.integer({ min: 0, max: 60_000 })),
  })
  .map((entries) => Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)))

const vendor = fc.record({
  offers: fc.constantFrom({}, {}, { dedupesSubmits: true }, { find: true }),
  /** The outcomes of the first submits of each job. All later submits succeed. */
  attempts: fc.array(behaviour, { maxLength: 3 }),
})

const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), node: fc.nat(1) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.oneof(fc.nat(400), fc.nat(60_000)) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      node: fc.nat(1),
      order: fc.shuffledSubarray([...names], { minLength: 3 }),
    }),
  },
)

test('whatever three providers do, and whenever a process dies, each job ends and no two submits of one are paid for', async () => {
  const trial = fc.asyncProperty(
    fc.tuple(vendor, vendor, vendor),
    fc.array(event, { minLength: 3, maxLength: 14 }),
    async (vendors, events) => {
      const scripts = Object.fromEntries(
        vendors.map(({ offers, attempts }, i) => [
          names[i]!,
          { ...offers, latencyMs: 150, behave: (_: unknown, attempt: number) => attempts[attempt - 1] ?? {} },
        ]),
      )
      const world = routedWorld(scripts, { deadlineMs: 300_000 })
      const nodes = [world.start(), world.start()]
      const ids = [await world.create(nodes[0]!.service)]
      for (const event of events) {
        if (event.do === 'create') ids.push(await world.create(nodes[event.node]!.service))
        if (event.do === 'pass') await world.clock.advance(event.ms)
        if (event.do === 'crash') {
          nodes[event.node]!.kill()
          nodes[event.node] = world.start(event.order)
        }
      }
      await world.clock.advance(900_000)
      for (const id of ids) {
        const job = await world.job(id)
        const paid = world.paidBy(id)
        expect(isFinished(job), `${job.phase} by ${job.route}`).toBe(true)
        expect(paid.length, `paid by ${paid}`).toBeLessThanOrEqual(1)
        if (job.phase === 'completed') expect(paid.map((name) => `${name}/fake-image`)).toEqual([job.route])
      }
      // Here the calls of a crashed process go on, so overlaps are checked only without crashes.
      if (events.every((event) => event.do !== 'crash'))
        expect(names.flatMap((name) => world.provider(name).overlaps)).toEqual([])
      await world.close()
    },
  )
  await fc.assert(trial, { numRuns: 150, endOnFailure: true })
})
