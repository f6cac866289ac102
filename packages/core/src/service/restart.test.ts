import { expect, test } from 'vitest'
import { exampleJob, fakeModels, fakeWorld, type FakeWorld } from '@genmount/testing'
import type { JobStore } from '../contracts/storage/job-store.ts'

const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
const never = new Promise<never>(() => {})

/** Jobs that were running when all processes ended. */
async function leaveBehind({ clock, jobs }: FakeWorld, count: number) {
  const [createdAt, dueAt] = [clock.now(), clock.now()]
  for (let i = 0; i < count; i++)
    await jobs.insert(exampleJob({ id: `job-${i}`, phase: 'running', dueAt, createdAt }))
}

test('a thousand jobs that a crash left behind are taken up a few at a time, and all end', async () => {
  let most = 0
  let now = 0
  const world = fakeWorld()
  const { clock, jobs, start } = world
  await leaveBehind(world, 1000)
  const { service } = start({
    provider: {
      async poll() {
        most = Math.max(most, ++now)
        await new Promise<void>((resolve) => clock.after(100, resolve))
        now--
        return { state: 'succeeded', outputs: [{ url: 'https://cdn.test/1.png' }] }
      },
    },
  })
  await clock.advance(60_000)
  expect(await jobs.due(clock.now(), 10)).toEqual([])
  expect(most).toBe(20)
  await service.close()
  expect(clock.pendingTimers).toBe(0)
})

test('a provider that hangs for twenty jobs does not delay jobs of other providers', async () => {
  const world = fakeWorld()
  const { clock, jobs, start } = world
  await leaveBehind(world, 60)
  const { service } = start({
    provider: {
      poll: async ({ jobId }) =>
        Number(jobId.slice(4)) < 30
          ? never
          : { state: 'succeeded', outputs: [{ url: 'https://cdn.test/1.png' }] },
    },
  })
  await clock.advance(30_000)
  for (let i = 30; i < 60; i++) expect(await jobs.get(`job-${i}`)).toMatchObject({ phase: 'completed' })
  await service.close()
})

test('a job that crashes every process that takes it up is failed, and no other job with it', async () => {
  const world = fakeWorld()
  const { clock, jobs, start } = world
  await leaveBehind(world, 10)
  let crashes = 0
  const processes: ReturnType<typeof start>[] = []
  function startNext(): void {
    const one = start({
      provider: {
        async poll({ jobId }) {
          if (jobId !== 'job-3') return { state: 'succeeded', outputs: [{ url: 'https://cdn.test/1.png' }] }
          // Other jobs are in the middle of their steps when the process dies.
          crashes++
          one.die()
          clock.after(1000, startNext)
          return never
        },
      },
    })
    processes.push(one)
  }
  startNext()
  await clock.advance(5 * 60_000)
  expect(crashes).toBe(5)
  for (let i = 0; i < 10; i++) {
    const job = await jobs.get(`job-${i}`)
    if (i !== 3) expect(job).toMatchObject({ phase: 'completed' })
    else
      expect(job).toMatchObject({
        phase: 'failed',
        error: {
          code: 'service_failed',
          message: 'The service broke down 5 times in a row during this job.',
        },
      })
  }
  expect(processes).toHaveLength(6)
  await processes.at(-1)?.service.close()
})

test('a create is accepted although the answer of the store to its insert was lost', async () => {
  const { clock, provider, jobs, serviceOver } = fakeWorld()
  const insert: JobStore['insert'] = async (job) => {
    await jobs.insert(job)
    throw new Error('connection reset')
  }
  const service = serviceOver({ jobs: { insert } })
  const { job } = await service.create(request)
  await clock.advance(0)
  expect(await service.get(job.id, 'alice')).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('a submit is made although the answer of the store to its claim was lost', async () => {
  const { clock, provider, jobs, serviceOver } = fakeWorld()
  let losses = 1
  const replace: JobStore['replace'] = async (job, revision) => {
    const outcome = await jobs.replace(job, revision)
    if (losses-- > 0) throw new Error('connection reset')
    return outcome
  }
  const service = serviceOver({ jobs: { replace } })
  const { job } = await service.create(request)
  await clock.advance(1000)
  expect(await jobs.get(job.id)).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('a hanging store does not keep waiters when the service closes', async () => {
  const { clock, jobs, serviceOver } = fakeWorld({ behave: [{ delayMs: 60_000 }] })
  let isHanging = false
  const get: JobStore['get'] = (id) => (isHanging ? never : jobs.get(id))
  const service = serviceOver({ jobs: { get } })
  const { job } = await service.create(request)
  const waiting = service.waitFor(job.id, 'alice')
  await clock.advance(1500)
  isHanging = true
  void service.close()
  expect(await waiting).toMatchObject({ id: job.id, phase: 'running' })
})

test('a create that is being stored when the service closes is stored and answered', async () => {
  const { clock, provider, jobs, serviceOver } = fakeWorld()
  const gate = Promise.withResolvers<void>()
  const insert: JobStore['insert'] = (job) => gate.promise.then(() => jobs.insert(job))
  const service = serviceOver({ jobs: { insert } })
  const created = service.create(request)
  await clock.advance(0)
  let isClosed = false
  const closed = service.close().then(() => (isClosed = true))
  await clock.advance(500)
  expect(isClosed).toBe(false)
  gate.resolve()
  const { job } = await created
  expect(await service.waitFor(job.id, 'alice')).toMatchObject({ id: job.id })
  await closed
  expect(await jobs.get(job.id)).toMatchObject({ phase: 'accepted' })
  expect(provider.submits).toEqual([])
})

test('a clock that is put back by a day, and forward by eight, delays no job and deletes none before its time', async () => {
  const dayMs = 24 * 3_600_000
  const { clock, provider, jobs, start } = fakeWorld({
    behave: [{ delayMs: 4 * 3_600_000, pollAfterMs: 60_000 }],
  })
  const { service } = start()
  const { job } = await service.create(request)
  await clock.advance(5000)
  clock.set(clock.now() - dayMs)
  const polls = provider.polls.length
  await clock.advance(120_000)
  expect(provider.polls.length).toBeGreaterThan(polls)
  expect(await service.get(job.id, 'alice')).toMatchObject({ phase: 'running' })
  await service.close()

  clock.set(clock.now() + 8 * dayMs)
  expect(clock.now()).toBeLessThan(job.expiresAt + dayMs)
  const { service: next } = start()
  await clock.advance(10_000)
  expect(await next.get(job.id, 'alice')).toMatchObject({ phase: 'running' })
  await clock.advance(3_600_000)
  expect(await jobs.get(job.id)).toBeUndefined()
  await next.close()
})

test('a process that starts leaves jobs alone that others are writing, also when their clocks differ a little', async () => {
  const { clock, jobs, start } = fakeWorld()
  const read: string[] = []
  const { service } = start({
    jobs: {
      async due(...asked) {
        const updatedAt = clock.now() + 20
        const times = { createdAt: clock.now(), updatedAt, dueAt: updatedAt + 60_000 }
        await jobs.insert(exampleJob({ phase: 'running', ...times }))
        return jobs.due(...asked)
      },
      async get(...asked) {
        read.push(asked[0])
        return jobs.get(...asked)
      },
    },
  })
  await clock.advance(1000)
  // The sweep reads it once, and no step does.
  expect(read).toEqual(['job-1'])
  await service.close()
})

test('a paid job is not given up at its deadline by a process that has other models, before one that serves it has asked', async () => {
  const { clock, provider, serviceOver, start } = fakeWorld({ behave: [{ delayMs: 5000 }] })
  const { service: first, die } = start()
  const { job } = await first.create(request)
  await clock.advance(1000)
  die()
  const foreign = serviceOver({
    provider: { models: [{ ...fakeModels[0]!, id: 'elsewhere' }] },
  })
  foreign.start()
  await clock.advance(31 * 60_000)
  const { service: second } = start()
  await clock.advance(10_000)
  expect(await second.get(job.id, 'alice')).toMatchObject({ phase: 'completed', costUsd: 0.01 })
  expect(provider.ledger).toHaveLength(1)
  await Promise.all([foreign.close(), second.close()])
})
