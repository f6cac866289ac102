import { expect } from 'vitest'
import type { Provider, ProviderReport } from '@genmount/core'
import { expectDelivery, testInMemory } from './paid-job-test.ts'
import type { ProcessChanges, SimulatedWorld } from './simulated-world.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const steps = [
  ['ahead by an hour', hourMs],
  ['ahead by 8 days', 8 * dayMs],
  ['back by a day', -dayMs],
] as const

function setClock({ clock }: SimulatedWorld, byMs: number): void {
  clock.set(clock.now() + byMs)
}

for (const [how, byMs] of steps) {
  testInMemory(
    `a paid task that its vendor's list shows only after 40 s is found and delivered when the clock is set ${how} during the search`,
    { vendor: { find: 'list', behave: [{ answer: 'reset', listedAfterMs: 40_000, delayMs: 5000 }] } },
    async (world) => {
      const id = await world.create(world.start())
      await world.passUntil(() => world.vendor.ledger.length > 0)
      await world.pass(5000)
      setClock(world, byMs)
      await expectDelivery(world, id)
    },
  )

  for (const kills of [false, true])
    testInMemory(
      `a job whose answer was lost waits two minutes for its vendor's callback when the clock is set ${how}${kills ? ' while its process is started again' : ''}`,
      { vendor: { behave: [{ answer: 'reset', delayMs: 90_000 }], sendCallback: () => {} }, knowsEnds: true },
      async (world) => {
        const process = world.start()
        const id = await world.create(process)
        await world.passUntil(() => world.vendor.ledger.length > 0)
        await world.pass(5000)
        if (kills) process.kill()
        setClock(world, byMs)
        const other = kills ? world.start() : process
        await world.pass(85_000)
        expect(await world.job(id)).toMatchObject({ phase: 'submitting' })
        world.callBack(id, () => other)
        await expectDelivery(world, id)
      },
    )

  testInMemory(
    `a job whose answer was lost fails within four minutes when no callback comes, although the clock is set ${how}`,
    { vendor: { behave: [{ answer: 'reset' }], sendCallback: () => {} } },
    async (world) => {
      const id = await world.create(world.start())
      await world.passUntil(() => world.vendor.ledger.length > 0)
      await world.pass(5000)
      setClock(world, byMs)
      await world.pass(240_000)
      expect(await world.job(id)).toMatchObject({ phase: 'failed', error: { code: 'submit_ambiguous' } })
    },
  )

  testInMemory(
    `outputs that a living process has in memory are delivered when the clock is set ${how} and another process starts`,
    { knowsEnds: true },
    async (world) => {
      const process = world.start()
      process.areFilesAway = true
      const id = await world.create(process)
      await world.passUntil(async () => (await world.job(id)).phase === 'collecting')
      setClock(world, byMs)
      world.start()
      await world.pass(60_000)
      process.areFilesAway = false
      await expectDelivery(world, id)
    },
  )

  testInMemory(
    `a paid task that its vendor does not know for four minutes is delivered when the clock is set ${how} while its process is started again`,
    { vendor: { behave: [{ delayMs: 10_000 }] } },
    async (world) => {
      let isForgotten = true
      const process = world.start(
        undefined,
        forgetting(() => isForgotten),
      )
      const id = await world.create(process)
      expect(await world.passUntil(async () => (await world.job(id)).unknown !== undefined)).toBe(true)
      process.kill()
      setClock(world, byMs)
      world.start(
        undefined,
        forgetting(() => isForgotten),
      )
      await world.pass(195_000)
      isForgotten = false
      await expectDelivery(world, id)
    },
  )
}

/** A vendor whose polls find no task for as long as the function says so. */
const forgetting = (isForgotten: () => boolean): ProcessChanges => ({
  wrap: (provider: Provider): Provider => ({
    ...provider,
    poll: async (task, call) => {
      const report = await provider.poll(task, call)
      return isForgotten() ? unknownTask : report
    },
  }),
})
const unknownTask: ProviderReport = { state: 'unknown', message: 'There is no such task.' }

for (const [how, byMs] of steps)
  testInMemory(
    `a new job is submitted and delivered when the clock is set ${how} while the store writes the job`,
    { vendor: { behave: [{ delayMs: 5000 }] } },
    async (world) => {
      const insert = world.jobs.insert
      world.jobs.insert = async (job) => {
        const inserted = await insert(job)
        setClock(world, byMs)
        return inserted
      }
      await expectDelivery(world, await world.create(world.start()))
    },
  )
