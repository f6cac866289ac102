import { expect, test } from 'vitest'
import { advance } from '@genmount/core/advance'
import { exampleJob, fakeWorld } from '@genmount/testing'
import type { AdvanceOptions } from './advance-plugin.ts'

const never = new Promise<never>(() => {})
const film = { state: 'succeeded', outputs: [{ url: 'https://cdn.test/1.png' }] } as const

function advancedWorld(options: AdvanceOptions = {}) {
  return fakeWorld({}, { plugins: [advance(options)] })
}

type AdvancedWorld = ReturnType<typeof advancedWorld>

/** Jobs that were running when all processes ended, and are due. */
async function leaveBehind({ clock, jobs }: AdvancedWorld, count: number) {
  const now = clock.now()
  for (let i = 0; i < count; i++)
    await jobs.insert(exampleJob({ id: `job-${i}`, phase: 'running', createdAt: now, dueAt: now }))
}

/** Settles a call of the service while the clock advances. */
async function after<Value>({ clock }: AdvancedWorld, ms: number, call: Promise<Value>): Promise<Value> {
  await clock.advance(ms)
  return call
}

test('a service with the plugin advance takes no step of a due job and sets no timer before service.advance is called', async () => {
  const world = advancedWorld()
  const { clock, jobs, start } = world
  await leaveBehind(world, 3)
  const { service } = start({ provider: { poll: async () => film } })
  await clock.advance(10 * 60_000)
  expect([await jobs.due(clock.now(), 10), clock.pendingTimers]).toMatchObject([{ length: 3 }, 0])
  expect(await after(world, 1000, service.advance())).toEqual({ steps: 3 })
  expect(await jobs.get('job-2')).toMatchObject({ phase: 'completed' })
  await service.close()
})

test('service.advance takes up no more jobs than its limit', async () => {
  const world = advancedWorld()
  const { clock, jobs, serviceOver } = world
  await leaveBehind(world, 250)
  const service = serviceOver({ provider: { poll: async () => film } })
  const { steps, nextAt } = await after(world, 5000, service.advance({ limit: 120 }))
  expect([steps, (await jobs.due(clock.now(), 1000)).length]).toEqual([120, 130])
  expect(nextAt).toBeLessThanOrEqual(clock.now())
  expect(await after(world, 5000, service.advance())).toEqual({ steps: 130 })
  await service.close()
})

test('service.advance ends after forMs while a poll hangs, and has advanced the jobs beside it', async () => {
  const world = advancedWorld()
  const { clock, jobs, serviceOver } = world
  await leaveBehind(world, 40)
  const hanging = { poll: async ({ jobId }: { jobId: string }) => (jobId === 'job-0' ? never : film) }
  const service = serviceOver({ provider: hanging })
  const begin = clock.now()
  const call = service.advance({ forMs: 3000 }).then((result) => ({ ...result, tookMs: clock.now() - begin }))
  const { steps, tookMs, nextAt } = await after(world, 10_000, call)
  expect([steps, tookMs]).toEqual([40, 3000])
  expect(nextAt).toBeGreaterThan(begin)
  for (let i = 1; i < 40; i++) expect(await jobs.get(`job-${i}`)).toMatchObject({ phase: 'completed' })
  await service.close({ timeoutMs: 1 })
})

test('service.advance takes the step of a job that becomes due while a sweep takes long', async () => {
  const look = () => new Promise<number>((resolve) => void clock.after(4000, () => resolve(60_000)))
  const sweeping = { name: 'slow', attach: () => ({ sweep: { what: 'what is slow', look } }) }
  const world = fakeWorld({}, { plugins: [advance(), sweeping] })
  const { clock, jobs, serviceOver } = world
  const now = clock.now()
  await jobs.insert(exampleJob({ id: 'job-0', phase: 'running', createdAt: now, dueAt: now + 500 }))
  const service = serviceOver({ provider: { poll: async () => film } })
  const call = service.advance({ forMs: 5000 })
  await clock.advance(2000)
  expect(await jobs.get('job-0')).toMatchObject({ phase: 'completed' })
  expect(await after(world, 5000, call)).toEqual({ steps: 1 })
  await service.close()
})

test('two processes that call service.advance at the same time take each step once', async () => {
  const world = advancedWorld()
  await leaveBehind(world, 60)
  const polls: string[] = []
  const poll = async ({ jobId }: { jobId: string }) => {
    polls.push(jobId)
    return film
  }
  const services = [1, 2].map(() => world.serviceOver({ provider: { poll } }))
  const calls = Promise.all(services.flatMap((service) => [service.advance(), service.advance()]))
  const results = await after(world, 20_000, calls)
  expect([polls.length, new Set(polls).size]).toEqual([60, 60])
  expect(results.reduce((sum, { steps }) => sum + steps, 0)).toBeGreaterThanOrEqual(60)
  for (const service of services) await service.close()
})

test('service.advance says when the next step is due, and takes a job from its create to its end when it is called then', async () => {
  const world = advancedWorld()
  const { clock, service, create, jobs } = world
  const { id } = await create({ delay_ms: 60_000 })
  await service.settled()
  let calls = 0
  for (;;) {
    const { nextAt } = await after(world, 100, service.advance())
    if (nextAt === undefined) break
    expect(nextAt).toBeGreaterThan(clock.now() - 1000)
    await clock.advance(Math.max(0, nextAt - clock.now()))
    expect(++calls).toBeLessThan(100)
  }
  expect(await jobs.get(id)).toMatchObject({ phase: 'completed' })
  await service.close()
})

test('service.advance does not spin for jobs whose model this process does not serve, and has itself called again within 5 seconds', async () => {
  const world = advancedWorld()
  const { clock, jobs, serviceOver } = world
  const now = clock.now()
  for (let i = 0; i < 150; i++)
    await jobs.insert(
      exampleJob({
        id: `gone-${i}`,
        phase: 'running',
        model: 'gone',
        provider: 'gone',
        createdAt: now,
        dueAt: now,
      }),
    )
  await leaveBehind(world, 1)
  let reads = 0
  const due: typeof jobs.due = (...call) => {
    reads++
    return jobs.due(...call)
  }
  const service = serviceOver({ provider: { poll: async () => film }, jobs: { due } })
  const { steps, nextAt } = await after(world, 20_000, service.advance())
  expect(steps).toBe(1)
  expect(nextAt! - now).toBeLessThanOrEqual(20_000 + 5000)
  expect(reads).toBeLessThan(20)
  await service.close()
})

test('one call of service.advance deletes all expired jobs', async () => {
  const world = advancedWorld()
  const { clock, jobs, service } = world
  const now = clock.now()
  for (let i = 0; i < 250; i++)
    await jobs.insert(
      exampleJob({ id: `old-${i}`, phase: 'completed', createdAt: now - 1000, expiresAt: now - 1 }),
    )
  await after(world, 20_000, service.advance())
  expect(await jobs.expired(clock.now(), 10)).toEqual([])
  await service.close()
})

test('waitUntil gets a promise for each new job that resolves when the job has ended', async () => {
  const work: Promise<void>[] = []
  const world = advancedWorld({ waitUntil: (promise) => void work.push(promise) })
  const { clock, service, create, jobs } = world
  const { id } = await create({ delay_ms: 4000 })
  let hasEnded = false
  void work[0]?.then(() => (hasEnded = true))
  await clock.advance(2000)
  expect([work.length, hasEnded]).toEqual([1, false])
  await clock.advance(8000)
  expect([hasEnded, await jobs.get(id)]).toMatchObject([true, { phase: 'completed' }])
  await service.close()
})

test('the promise that waitUntil gets resolves within 26 seconds when the job takes longer', async () => {
  const work: Promise<void>[] = []
  const world = advancedWorld({ waitUntil: (promise) => void work.push(promise) })
  const { service, create } = world
  await create({ delay_ms: 600_000 })
  await after(world, 26_000, Promise.all(work))
  await service.close()
})

test('a wrong option or request of advance is refused with its name', async () => {
  expect(() => advance({ waitUntil: 1 as never })).toThrow('advance: waitUntil must be a function')
  const { service } = advancedWorld()
  await expect(service.advance({ forMs: 0 })).rejects.toThrow('advance: forMs must be')
  await expect(service.advance({ limit: 0.5 })).rejects.toThrow('advance: limit must be')
  await service.close()
  await expect(service.advance()).rejects.toMatchObject({ code: 'shutting_down' })
})
