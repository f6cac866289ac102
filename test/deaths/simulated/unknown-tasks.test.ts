import { expect } from 'vitest'
import type { Provider, ProviderReport } from '@genmount/core'
import { testInMemory } from './paid-job-test.ts'
import type { ProcessChanges, SimulatedWorld } from './simulated-world.ts'

const unknown: ProviderReport = { state: 'unknown', message: 'There is no such task.' }
const steps = { stepMs: 1000, service: { deadlineMs: 60 * 60_000 } }

/** A vendor whose polls find none of these tasks, for as long as the function says so. */
const forgetting = (isForgotten: (jobId: string) => boolean): ProcessChanges => ({
  wrap: (provider: Provider): Provider => ({
    ...provider,
    poll: async (task, call) => {
      const report = await provider.poll(task, call)
      return isForgotten(task.jobId) ? unknown : report
    },
  }),
})

/** How the jobs stand: how many have completed, and how many have failed. */
async function standOf(world: SimulatedWorld, ids: readonly string[]) {
  const jobs = await Promise.all(ids.map(world.job))
  const count = (phase: string) => jobs.filter((job) => job.phase === phase).length
  return { completed: count('completed'), failed: count('failed') }
}

for (const jobs of [1, 3, 50])
  for (const seconds of [60, 120, 300])
    testInMemory(
      `no job is dropped when the vendor answers the polls of ${jobs} running, paid jobs with 404 for ${seconds} s`,
      { ...steps, vendor: { behave: [{ delayMs: 400_000 }] } },
      async (world) => {
        let isIll = false
        const process = world.start(
          undefined,
          forgetting(() => isIll),
        )
        const ids = await Promise.all(Array.from({ length: jobs }, () => world.create(process)))
        await world.pass(20_000)
        isIll = true
        await world.pass(seconds * 1000)
        isIll = false
        await world.pass(500_000)
        expect(await standOf(world, ids)).toEqual({ completed: jobs, failed: 0 })
        expect(world.vendor.ledger).toHaveLength(jobs)
      },
    )

testInMemory(
  'no job is dropped when the vendor answers all polls with 404 for 20 minutes, while its two processes are killed and started again',
  { ...steps, vendor: { behave: [{ delayMs: 60_000 }] } },
  async (world) => {
    let isIll = false
    const changes = forgetting(() => isIll)
    const processes = [world.start(undefined, changes), world.start(undefined, changes)]
    const ids = await Promise.all(Array.from({ length: 50 }, (_, i) => world.create(processes[i % 2]!)))
    await world.pass(20_000)
    isIll = true
    for (let minutes = 0; minutes < 20; minutes += 2) {
      await world.pass(120_000)
      processes[minutes % 4 === 0 ? 0 : 1]?.kill()
      processes[minutes % 4 === 0 ? 0 : 1] = world.start(undefined, changes)
    }
    isIll = false
    await world.pass(150_000)
    expect(await standOf(world, ids)).toEqual({ completed: 50, failed: 0 })
  },
)

testInMemory(
  'a vendor that knows none of its tasks gets one new job in 30 seconds, and all others as soon as it knows one',
  { ...steps, vendor: { behave: [{ delayMs: 100_000 }] } },
  async (world) => {
    let isIll = false
    const process = world.start(
      undefined,
      forgetting(() => isIll),
    )
    await Promise.all(Array.from({ length: 20 }, () => world.create(process)))
    await world.pass(20_000)
    isIll = true
    await world.pass(60_000)
    const waiting = await Promise.all(Array.from({ length: 20 }, () => world.create(process)))
    await world.pass(120_000)
    const paid = () => world.vendor.ledger.filter(({ jobId }) => waiting.includes(jobId)).length
    expect(paid()).toBeGreaterThanOrEqual(2)
    expect(paid()).toBeLessThanOrEqual(6)
    isIll = false
    await world.pass(90_000)
    expect(paid()).toBe(20)
    await world.pass(150_000)
    expect(await standOf(world, waiting)).toEqual({ completed: 20, failed: 0 })
  },
)

testInMemory(
  'tasks that a vendor has lost for good fail within 15 minutes while it makes other jobs',
  { ...steps, vendor: { behave: [{ delayMs: 15_000 }] } },
  async (world) => {
    const lost: string[] = []
    const process = world.start(
      undefined,
      forgetting((jobId) => lost.includes(jobId)),
    )
    for (let job = 0; job < 20; job++) lost.push(await world.create(process))
    const others: string[] = []
    for (let second = 0; second < 900; second += 10) {
      others.push(await world.create(process))
      await world.pass(10_000)
    }
    expect(await standOf(world, lost)).toEqual({ completed: 0, failed: 20 })
    await world.pass(120_000)
    expect(await standOf(world, others)).toEqual({ completed: others.length, failed: 0 })
  },
)
