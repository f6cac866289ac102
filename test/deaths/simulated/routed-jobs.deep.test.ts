import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFinished } from '@genmount/core'
import type { FakeFault } from '@genmount/testing'
import { routedWorld } from '../../routing/routed-world.ts'
import { behaviourWith, fault, optional } from './random-behaviour.ts'

const names = ['a', 'b', 'c'] as const

const accountFault: FakeFault = {
  report: { state: 'failed', code: 'provider_rejected', message: 'No credit.', isAccountAtFault: true },
}
const behaviour = behaviourWith({
  submit: optional(
    fc.oneof({ weight: 8, arbitrary: fault }, { weight: 1, arbitrary: fc.constant(accountFault) }),
  ),
  delayMs: optional(fc.integer({ min: 0, max: 60_000 })),
})

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

/** The routes that the order of the model names, if it has one. */
const orderedNames = fc.option(fc.shuffledSubarray([...names], { minLength: 1 }))

test('jobs with three routes, in their own order or not, end and are paid for at most once, with 150 random faults of providers and deaths of processes', async () => {
  const trial = fc.asyncProperty(
    fc.tuple(vendor, vendor, vendor),
    fc.array(event, { minLength: 3, maxLength: 14 }),
    orderedNames,
    async (vendors, events, ordered) => {
      const scripts = Object.fromEntries(
        vendors.map(({ offers, attempts }, i) => [
          names[i]!,
          { ...offers, latencyMs: 150, behave: (_: unknown, attempt: number) => attempts[attempt - 1] ?? {} },
        ]),
      )
      const world = routedWorld(
        scripts,
        { deadlineMs: 300_000 },
        ordered
          ? () => ({ routes: ordered.map((name) => `${name}/fake-image`), why: 'at random' })
          : undefined,
      )
      const nodes = [world.start(), world.start()]
      const ids = [await world.create(nodes[0]!)]
      for (const event of events) {
        if (event.do === 'create') ids.push(await world.create(nodes[event.node]!))
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
        expect(names.flatMap((name) => world.vendorOf(name).overlaps)).toEqual([])
      await world.close()
    },
  )
  await fc.assert(trial, { numRuns: 150, endOnFailure: true })
})
