import { describe, expect, test } from 'vitest'
import { exampleJob, fakeWorld, survivingStore } from '@genmount/testing'
import type { FileStore } from '../contracts/storage/file-store.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import type { Provider } from '../contracts/provider.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

const never = new Promise<never>(() => {})
const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

interface Changes {
  readonly jobs?: Partial<JobStore>
  readonly files?: Partial<FileStore>
  readonly provider?: Partial<Provider>
  readonly close?: () => Promise<void>
}

function setUp(changes: (kept: { jobs: JobStore; files: FileStore }) => Changes) {
  const memory = memoryFileStore()
  const world = fakeWorld()
  const { jobs, files, provider, close } = changes({ jobs: world.jobs, files: memory })
  const backend = survivingStore(world.clock).connect({ ...world.jobs, ...jobs })
  const service = world.serviceOver({
    ...(provider && { provider }),
    backend: { ...backend, ...(close && { close }) },
    files: { ...memory, ...files },
    retentionDays: 1,
  })
  return { ...world, service }
}

/** A call that hangs the first time and answers afterwards. */
function onceHanging<Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) {
  let calls = 0
  return (...args: Args): Promise<Result> => (calls++ === 0 ? never : ask(...args))
}

describe('while a call hangs, all other work goes on', () => {
  const hanging: [string, Parameters<typeof setUp>[0]][] = [
    ['jobs.due', ({ jobs }) => ({ jobs: { due: onceHanging(jobs.due) } })],
    ['jobs.expired', ({ jobs }) => ({ jobs: { expired: onceHanging(jobs.expired) } })],
    ['jobs.get', ({ jobs }) => ({ jobs: { get: onceHanging(jobs.get) } })],
    ['jobs.delete', ({ jobs }) => ({ jobs: { delete: onceHanging(jobs.delete) } })],
    ['files.delete', ({ files }) => ({ files: { delete: onceHanging(files.delete) } })],
  ]
  test.each(hanging)(
    '%s: orphans are taken up, expired jobs deleted, and the service closes',
    async (_call, changes) => {
      const { clock, jobs, service } = setUp(changes)
      const createdAt = clock.now()
      const deleted = { expiresAt: 0, deletedAt: createdAt }
      const expired = { phase: 'completed', outputs: [{ fileKey: 'old-0' }], ...deleted } as const
      for (const id of ['old', 'older']) {
        const { dueAt: _, ...job } = exampleJob({ ...expired, id, clientToken: id, createdAt })
        await jobs.insert(job)
      }
      for (const id of ['orphan', 'orphan 2'])
        await jobs.insert(exampleJob({ id, clientToken: id, createdAt, dueAt: createdAt }))
      service.start()
      await clock.advance(120_000)
      for (const id of ['orphan', 'orphan 2'])
        expect(await jobs.get(id)).toMatchObject({ phase: 'completed' })
      for (const id of ['old', 'older']) expect(await jobs.get(id)).toBeUndefined()
      const closed = service.close()
      await clock.advance(0)
      await closed
      expect(clock.pendingTimers).toBe(0)
    },
  )
})

describe('close() ends within its time', () => {
  const hanging: [string, Parameters<typeof setUp>[0], RegExp | undefined][] = [
    [
      'the job store',
      () => ({ jobs: { replace: () => never } }),
      /^The service closes with steps under way on gen_/,
    ],
    [
      'the file store',
      () => ({ files: { put: () => never } }),
      /^The service closes with steps under way on gen_/,
    ],
    [
      'a submit',
      () => ({ provider: { submit: () => never } }),
      /^The service closes with steps under way on gen_/,
    ],
    [
      'the provider’s close',
      () => ({ provider: { close: () => never } }),
      /^The provider fake could not be closed/,
    ],
    [
      'the file store’s close',
      () => ({ files: { close: () => never } }),
      /^The file store could not be closed/,
    ],
    ['the backend’s close', () => ({ close: () => never }), /^The backend could not be closed/],
  ]
  test.each(hanging)('while %s hangs, and says what it left', async (_what, changes, told) => {
    const { clock, log, service } = setUp(changes)
    await service.create(request)
    await clock.advance(100)
    let isClosed = false
    const closed = service.close({ timeoutMs: 5000 }).then(() => (isClosed = true))
    await clock.advance(6000)
    expect(isClosed).toBe(true)
    await closed
    expect(log.errors.some((message) => told?.test(message))).toBe(true)
  })

  test('by default', async () => {
    const { clock, service } = setUp(() => ({ provider: { close: () => never } }))
    await service.create(request)
    let isClosed = false
    const closed = service.close().then(() => (isClosed = true))
    await clock.advance(100_000)
    expect(isClosed).toBe(true)
    await closed
  })

  test.each([-1, 1.5, Number.NaN])('of a whole number of milliseconds, and not %d', (timeoutMs) => {
    const { service } = setUp(() => ({}))
    expect(() => service.close({ timeoutMs })).toThrow('timeoutMs must be a whole number')
  })
})

describe('a create that can not be stored', () => {
  /** The insert answers when the test releases it. By then the job is stored. */
  function slowInsert(makesAtOnce: boolean) {
    const letGo = Promise.withResolvers<void>()
    const set = setUp(({ jobs }) => ({
      jobs: {
        async insert(job) {
          if (makesAtOnce) await jobs.insert(job)
          await letGo.promise
          return makesAtOnce ? { outcome: 'inserted' } : jobs.insert(job)
        },
        get: (id) => (makesAtOnce ? never : jobs.get(id)),
      },
    }))
    return { ...set, letGo: letGo.resolve }
  }

  test('is refused within two seconds, and its job is withdrawn when the store takes it later', async () => {
    const { clock, jobs, service, letGo } = slowInsert(false)
    let refusal: unknown
    const created = service.create(request).catch((error: unknown) => (refusal = error))
    await clock.advance(2000)
    expect(refusal).toMatchObject({ code: 'store_unavailable' })
    await created
    letGo()
    await clock.advance(60_000)
    expect(await jobs.due(clock.now(), 10)).toEqual([])
    await service.close()
  })

  test('with an idempotency key has its job when the request is repeated', async () => {
    const { clock, service, letGo } = slowInsert(false)
    const idempotency = { key: 'k', scope: 's' }
    let refusal: unknown
    service.create({ ...request, idempotency }).catch((error: unknown) => (refusal = error))
    await expect
      .poll(() => clock.advance(1000).then(() => refusal))
      .toMatchObject({ code: 'store_unavailable' })
    letGo()
    await clock.advance(10_000)
    const { job, replayed } = await service.create({ ...request, idempotency })
    expect([replayed, job.phase]).toEqual([true, 'completed'])
    await service.close()
  })

  test('with an idempotency key is made within seconds of the return of a store that lost the answer', async () => {
    let isAway = true
    let id = ''
    const { clock, jobs, provider, service } = setUp(({ jobs: kept }) => ({
      jobs: {
        async insert(job) {
          await kept.insert(job)
          id = job.id
          throw new Error('The answer is lost.')
        },
        get: (id) => (isAway ? Promise.reject(new Error('The store is away.')) : kept.get(id)),
      },
    }))
    let refusal: unknown
    service
      .create({ ...request, idempotency: { key: 'k', scope: 's' } })
      .catch((error: unknown) => (refusal = error))
    await expect
      .poll(() => clock.advance(1000).then(() => refusal))
      .toMatchObject({ code: 'store_unavailable' })
    await clock.advance(6000)
    expect(await jobs.get(id)).toMatchObject({ phase: 'accepted' })
    isAway = false
    await clock.advance(8000)
    expect(await jobs.get(id)).toMatchObject({ phase: 'completed' })
    expect(provider.submits).toHaveLength(1)
    await service.close()
  })
})
