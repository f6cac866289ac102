import { expect, test } from 'vitest'
import { limits } from '@genmount/core/limits'
import { type FakeBehaviour, fakeProvider, fakeWorld } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'

const mostUsd = 5
const priceUsd = 1
const dayMs = 24 * 3_600_000

/** What the vendor does, in turn. It never charges more than the price, and does not always say what it has charged. */
const behaviours: readonly [FakeBehaviour, ...FakeBehaviour[]] = [
  { costUsd: 1, delayMs: 4000 },
  { costUsd: 0.3, delayMs: 1000 },
  { submit: 'connection_refused' },
  { answer: 'reset', costUsd: 1 },
  { failure: { code: 'provider_failed' }, costUsd: 0 },
  { submit: { report: { state: 'failed', code: 'provider_rejected', message: 'No.' } } },
  { costUsd: 0.999999 },
]

/** Where a process dies: before the write reaches the store, or before it hears of it. */
const boundaries = [2, 3, 5, 9].flatMap((write) => [
  { write, when: 'before' },
  { write, when: 'after' },
])

test.each(boundaries)(
  'spent and reserved together never pass the budget when processes die $when every write number $write, and nothing stays reserved',
  async ({ write, when }) => {
    const price = { text: '1 USD', per: 'image', usd: priceUsd }
    const models = fakeProvider().models.map((model) => ({ ...model, price }))
    const world = fakeWorld(
      { models, behave: behaviours },
      { plugins: [limits({ spendUsdPerDay: mostUsd })], maxRunningJobsPerOwner: 1000 },
    )
    const { clock, jobs, provider } = world
    const owned = new Map<string, Job>()

    /** What the auditor has found. It trusts only the ledger of the vendor beside the sums of the store. */
    const violations: string[] = []
    async function audit(): Promise<void> {
      const charged = Math.round(provider.ledger.reduce((sum, { costUsd }) => sum + costUsd, 0) * 1e6)
      const [sums] = await jobs.spending!('alice', [{ from: 0, costsFrom: 0 }])
      const { spentMicroUsd, reservedMicroUsd } = sums!
      const taken = spentMicroUsd + reservedMicroUsd
      if (taken > mostUsd * 1e6) violations.push(`${taken} are taken`)
      if (charged > taken) violations.push(`${charged} were charged, and ${taken} are taken`)
    }

    function mortal() {
      let writes = 0
      const process = world.start({ jobs: { insert: counted(jobs.insert), replace: counted(jobs.replace) } })
      function counted<Args extends [Job, ...unknown[]], Result>(call: (...args: Args) => Promise<Result>) {
        return async (...args: Args): Promise<Result> => {
          const isLast = ++writes === write
          if (isLast && when === 'before') {
            process.die()
            return new Promise<never>(() => {})
          }
          const result = await call(...args)
          owned.set(args[0].id, args[0])
          await audit()
          if (isLast) process.die()
          return result
        }
      }
      return process.service
    }

    for (let round = 0; round < 3; round++) {
      const services = [mortal(), mortal()]
      for (let burst = 0; burst < 4; burst++) {
        const creates = services.flatMap((service) =>
          Array.from({ length: 5 }, () =>
            service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }),
          ),
        )
        void Promise.allSettled(creates)
        await clock.advance(700)
        const [some] = [...owned.values()].filter(({ phase }) => phase === 'running' || phase === 'accepted')
        if (some && burst % 2 === 1)
          void services[burst % 3 === 0 ? 0 : 1]?.cancel(some.id, 'alice').catch(() => {})
        await clock.advance(700)
        await audit()
      }
      await clock.advance(40_000)
    }
    world.serviceOver().start()
    await clock.advance(2_700_000)
    await audit()
    expect(violations).toEqual([])
    const reservedSince = async (from: number) =>
      (await jobs.spending!('alice', [{ from, costsFrom: 0 }]))[0]!.reservedMicroUsd
    // What is left is for submits with an unknown outcome, and counts for a day.
    expect(await jobs.unfinished!('alice', 100)).toEqual([])
    const entries = await jobs.costs!({ owner: 'alice', from: 0, to: clock.now(), limit: 1000 })
    expect(entries.length).toBeGreaterThan(0)
    const unknown = entries.filter(({ costUsd }) => costUsd === undefined)
    expect(await reservedSince(0)).toBe(unknown.length * priceUsd * 1e6)
    expect(await reservedSince(clock.now() + dayMs)).toBe(0)
  },
)
