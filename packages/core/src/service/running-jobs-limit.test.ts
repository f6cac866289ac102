import { expect, test, vi } from 'vitest'
import { type Limits, limits } from '@genmount/core/limits'
import { createGenerationService, memoryBackend } from '@genmount/core'
import { fakeProvider, fakeWorld, type ProcessChanges, quietLog } from '@genmount/testing'
import type { GenerationService } from './generation-service.ts'

const tooMany = { code: 'too_many_running_jobs' }

function setUp(most: Limits, changes: ProcessChanges = {}) {
  const world = fakeWorld({ behave: [{ delayMs: 60_000 }] }, { plugins: [limits(most)], ...changes })
  const createAt = (service: GenerationService, owner = 'alice', key?: string) =>
    service.create({
      owner,
      model: 'fake-image',
      input: { prompt: 'a fox' },
      ...(key && { idempotency: { key, scope: '/v1/generate' } }),
    })
  const storeAnswers = async () => (await world.jobs.unfinished!('alice', 1000)).length
  return {
    ...world,
    createAt,
    create: (owner?: string, key?: string) => createAt(world.service, owner, key),
    unfinished: storeAnswers,
  }
}

/** How many of the creates were accepted. The others must be refused because of the limit. */
async function accepted(creates: readonly Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(creates)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(tooMany)
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

const times = <Result>(count: number, run: (index: number) => Result) =>
  Array.from({ length: count }, (_, index) => run(index))

test('of 100 creates at the same time, exactly as many make jobs as runningJobs allows', async () => {
  const { create, clock, unfinished, provider } = setUp({ runningJobs: 10 })
  expect(await accepted(times(100, () => create()))).toBe(10)
  expect(await unfinished()).toBe(10)
  await create('bob')
  await clock.advance(120_000)
  expect(provider.ledger).toHaveLength(11)
  expect(await accepted(times(100, () => create()))).toBe(10)
})

test('the refusal too_many_running_jobs says how many jobs are allowed', async () => {
  const { create } = setUp({ runningJobs: 2 })
  await Promise.all([create(), create()])
  await expect(create()).rejects.toMatchObject({
    ...tooMany,
    message: 'Only 2 of your jobs can be under way at a time. Try again when one has finished.',
  })
})

test('creates that are stored while others are counted make exactly as many jobs as allowed', async () => {
  const { serviceOver, createAt, clock, jobs, unfinished } = setUp({ runningJobs: 10 })
  const pauses = [3, 0, 7, 1, 12, 5]
  let calls = 0
  const pause = () => new Promise<void>((resolve) => clock.after(pauses[calls++ % pauses.length]!, resolve))
  const service = serviceOver({
    jobs: {
      // The store reads at once and answers late, or the reverse.
      async unfinished(owner, limit) {
        if (calls % 2) await pause()
        const ids = await jobs.unfinished!(owner, limit)
        await pause()
        return ids
      },
      async insert(job) {
        if (calls % 3) await pause()
        const inserted = await jobs.insert(job)
        await pause()
        return inserted
      },
    },
    admit: pause,
  })
  const creates: Promise<unknown>[] = []
  for (let begun = 0; begun < 40; begun++) {
    creates.push(createAt(service).catch((error: unknown) => Promise.reject(error)))
    creates.at(-1)!.catch(() => {})
    await clock.advance(2)
  }
  await clock.advance(1000)
  expect(await accepted(creates)).toBe(10)
  expect(await unfinished()).toBe(10)
})

test('a job that is stored before its create has ended counts once', async () => {
  const { serviceOver, createAt, jobs } = setUp({ runningJobs: 2 })
  const inserted = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const service = serviceOver({
    jobs: {
      async insert(job) {
        const outcome = await jobs.insert(job)
        inserted.resolve()
        await answer.promise
        return outcome
      },
    },
  })
  const first = createAt(service)
  await inserted.promise
  const others = [createAt(service), createAt(service)]
  answer.resolve()
  expect(await accepted([first, ...others])).toBe(2)
})

test('jobs that one process has accepted count in another process at once', async () => {
  const { serviceOver, createAt, unfinished } = setUp({ runningJobs: 5 })
  const services = [serviceOver(), serviceOver(), serviceOver()]
  const made: unknown[] = []
  for (let i = 0; i < 12; i++)
    await createAt(services[i % 3]!).then(
      (job) => made.push(job),
      (error: unknown) => expect(error).toMatchObject(tooMany),
    )
  expect(made).toHaveLength(5)
  expect(await unfinished()).toBe(5)
})

test('three processes on one store that create jobs at the same instant never pass runningJobs together', async () => {
  const { serviceOver, createAt, unfinished } = setUp({ runningJobs: 5 })
  const services = [serviceOver(), serviceOver(), serviceOver()]
  expect(await accepted(times(30, (index) => createAt(services[index % 3]!)))).toBe(5)
  expect(await unfinished()).toBe(5)
})

test('a process that has just started counts the jobs that were accepted before', async () => {
  const { create, serviceOver, createAt } = setUp({ runningJobs: 2 })
  await Promise.all([create(), create()])
  await expect(createAt(serviceOver())).rejects.toMatchObject(tooMany)
})

test('a job that has ended in any process no longer counts as running at once', async () => {
  const { create, clock, service, serviceOver, createAt } = setUp({ runningJobs: 1 })
  const { job } = await create()
  const other = serviceOver()
  await expect(createAt(other)).rejects.toMatchObject(tooMany)
  await clock.advance(1000)
  const canceled = service.cancel(job.id, 'alice')
  await clock.advance(60_000)
  await canceled
  await createAt(other)
})

test('a create that is refused for another reason does not count as running', async () => {
  let isAdmitted = false
  const { create, unfinished } = setUp(
    { runningJobs: 2 },
    {
      admit: () => {
        if (!isAdmitted) throw new Error('Not you.')
      },
    },
  )
  const refused = await Promise.allSettled(times(2, () => create()))
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isAdmitted = true
  expect(await accepted(times(3, () => create()))).toBe(2)
  expect(await unfinished()).toBe(2)
})

test('a replay gets its job, however many jobs are running', async () => {
  const { create } = setUp({ runningJobs: 1 })
  const { job } = await create('alice', 'k')
  expect((await create('alice', 'k')).job.id).toBe(job.id)
  await expect(create('alice', 'other')).rejects.toMatchObject(tooMany)
})

test('a function sets runningJobs for each owner', async () => {
  const { create } = setUp(async (owner) => (owner === 'alice' ? { runningJobs: 1 } : {}))
  expect(await accepted(times(4, () => create()))).toBe(1)
  expect(await accepted(times(4, () => create('bob')))).toBe(4)
})

test('runningJobs of an owner replaces maxRunningJobsPerOwner', async () => {
  const limits = (owner: string) => (owner === 'alice' ? { runningJobs: 5 } : {})
  const { create } = setUp(limits, { maxRunningJobsPerOwner: 2 })
  expect(await accepted(times(8, () => create()))).toBe(5)
  expect(await accepted(times(8, () => create('bob')))).toBe(2)
})

test('creates at the same time share one count by the store', async () => {
  const { serviceOver, createAt, jobs } = setUp({ runningJobs: 1000 })
  const unfinished = vi.fn(jobs.unfinished!)
  const service = serviceOver({ jobs: { unfinished } })
  await Promise.all(times(100, () => createAt(service)))
  expect(unfinished.mock.calls.length).toBeLessThanOrEqual(2)
})

test('without runningJobs the store is not asked to count', async () => {
  const { serviceOver, createAt, jobs } = setUp({ storedBytes: 1e9 })
  const unfinished = vi.fn(jobs.unfinished!)
  await createAt(serviceOver({ jobs: { unfinished } }))
  expect(unfinished).not.toHaveBeenCalled()
})

test('while the store can’t count running jobs, creates are refused', async () => {
  const { serviceOver, createAt, provider } = setUp({ runningJobs: 1 })
  const service = serviceOver({ jobs: { unfinished: () => Promise.reject(new Error('away')) } })
  await expect(createAt(service)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(provider.ledger).toEqual([])
})

test('when the count of running jobs hangs, creates fail within 2 seconds and no place is lost', async () => {
  const { serviceOver, createAt, clock, jobs, unfinished } = setUp({ runningJobs: 2 })
  let answer = (_ids: readonly string[]) => {}
  const hanging = vi.fn(
    (_owner: string, _limit: number) => new Promise<readonly string[]>((resolve) => (answer = resolve)),
  )
  const service = serviceOver({ jobs: { unfinished: hanging } })
  const failing = times(3, () =>
    expect(createAt(service)).rejects.toMatchObject({ code: 'store_unavailable' }),
  )
  await clock.advance(500)
  failing.push(expect(createAt(service)).rejects.toMatchObject({ code: 'store_unavailable' }))
  await clock.advance(2000)
  await Promise.all(failing)
  expect(hanging).toHaveBeenCalledTimes(1)
  hanging.mockImplementation(jobs.unfinished!)
  answer([])
  await clock.advance(0)
  expect(await accepted(times(4, () => createAt(service)))).toBe(2)
  expect(await unfinished()).toBe(2)
})

test('runningJobs over a store that can’t count throws a TypeError', () => {
  const backend = memoryBackend()
  const { unfinished: _unfinished, ...jobs } = backend.jobs
  const options = { providers: [fakeProvider()], backend: { ...backend, jobs }, log: quietLog() }
  expect(() => createGenerationService({ ...options, plugins: [limits({ runningJobs: 1 })] })).toThrow(
    'limits: runningJobs needs a job store with unfinished()',
  )
})
