import { expect, test } from 'vitest'
import { fakeProvider, type FakeProviderOptions, type ManualClock, manualClock } from '@genmount/testing'
import type { JobStore } from '../contracts/job-store.ts'
import type { Provider } from '../contracts/provider.ts'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { createGenerationService } from './create-generation-service.ts'
import type { GenerationServiceOptions } from './generation-service.ts'

const quiet = { warn() {}, error() {} }
const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

function setUp(fake: FakeProviderOptions = {}) {
  const clock = manualClock()
  const backend = memoryBackend({ clock })
  const provider = fakeProvider({ clock, ...fake })
  /** A process of its own over the one store. */
  const serviceOver = (
    jobs: Partial<JobStore> = {},
    changes: Partial<Provider> = {},
    options: Partial<GenerationServiceOptions> = {},
  ) => {
    const { scheduler, signals } = memoryBackend({ clock })
    return createGenerationService({
      providers: [{ ...provider, ...changes }],
      clock,
      log: quiet,
      backend: { ...backend, scheduler, signals, jobs: { ...backend.jobs, ...jobs } },
      ...options,
    })
  }
  return { clock, backend, provider, serviceOver }
}

/** Lets the service try again for as long as it does. */
async function finished(
  service: ReturnType<typeof createGenerationService>,
  id: string,
  clock: ManualClock,
  withinMs = 60_000,
) {
  await clock.advance(withinMs)
  const job = await service.get(id, 'alice')
  expect(job).toMatchObject({ completedAt: expect.any(Number) })
  return job
}

test('who was cut off while looking for a lost submit does not submit what another has taken over', async () => {
  const { clock, backend, provider, serviceOver } = setUp({
    behave: [{ submit: 'reset' }, { delayMs: 300_000 }],
    find: true,
  })
  let isCutOff = false
  const found = Promise.withResolvers<undefined>()
  const replace: JobStore['replace'] = (...write) =>
    isCutOff ? Promise.reject(new Error('no route to the database')) : backend.jobs.replace(...write)
  const first = serviceOver(
    { replace },
    { find: () => ((isCutOff = true), found.promise), callTimeoutMs: 600_000 },
  )
  await first.create(request)
  await clock.advance(10_000)
  expect(isCutOff).toBe(true)
  const second = serviceOver()
  second.start()
  await clock.advance(60_000)
  expect(provider.ledger).toHaveLength(1)
  found.resolve(undefined)
  await clock.advance(60_000)
  expect(provider.ledger).toHaveLength(1)
  isCutOff = false
  const closed = Promise.all([first.close(), second.close()])
  await clock.advance(10_000)
  await closed
})

test.each<[string, FakeProviderOptions]>([
  ['finished in its submit', {}],
  ['polled', { behave: [{ delayMs: 3000 }] }],
])(
  'a store that writes and then says it failed costs no %s job',
  async (_what, fake) => {
    const { clock, backend, provider, serviceOver } = setUp(fake)
    const written = new Set<number>()
    const replace: JobStore['replace'] = async (job, revision) => {
      const outcome = await backend.jobs.replace(job, revision)
      if (job.claimedUntil && job.phase !== 'collecting') return outcome
      if (written.size < written.add(job.revision).size) throw new Error('connection reset')
      return outcome
    }
    const service = serviceOver({ replace })
    const { job } = await service.create(request)
    const last = await finished(service, job.id, clock)
    expect(last).toMatchObject({ phase: 'completed', costUsd: 0.01 })
    expect(provider.ledger).toHaveLength(1)
    await service.close()
  },
  30_000,
)

test('a renewal whose answer is lost does not end the submit that it was made for', async () => {
  const { clock, backend, provider, serviceOver } = setUp({ latencyMs: 45_000 })
  let losses = 0
  const replace: JobStore['replace'] = async (job, revision) => {
    const outcome = await backend.jobs.replace(job, revision)
    if (job.phase === 'submitting' && job.revision > 2 && losses++ === 0) throw new Error('connection reset')
    return outcome
  }
  const service = serviceOver({ replace })
  const { job } = await service.create(request)
  await clock.advance(20_000)
  const last = await finished(service, job.id, clock)
  expect(losses).toBeGreaterThan(1)
  expect(last).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('a task that was finished while no process lived is not thrown away at its deadline', async () => {
  const { clock, provider, serviceOver } = setUp({ behave: [{ delayMs: 20_000 }], cancel: true })
  const doomed = serviceOver()
  const { job } = await doomed.create(request)
  await clock.advance(1000)
  await doomed.close()
  await clock.advance(3_600_000)
  const successor = serviceOver()
  successor.start()
  await clock.advance(1000)
  expect(await successor.get(job.id, 'alice')).toMatchObject({ phase: 'completed', costUsd: 0.01 })
  expect(provider.cancels).toEqual([])
  await successor.close()
})

test('outputs that are known to be there are not thrown away at the deadline', async () => {
  const { clock, backend, serviceOver } = setUp({
    behave: [{ outputs: [{ url: 'https://cdn.test/1.png' }] }],
  })
  const never = new Promise<never>(() => {})
  let isDead = false
  const doomed = serviceOver({
    get: (id) => (isDead ? never : backend.jobs.get(id)),
    replace(job, revision) {
      isDead ||= job.phase === 'completed'
      return isDead ? never : backend.jobs.replace(job, revision)
    },
  })
  const { job } = await doomed.create(request)
  await clock.advance(1000)
  expect(await backend.jobs.get(job.id)).toMatchObject({ phase: 'collecting' })
  await clock.advance(3_600_000)
  const successor = serviceOver()
  successor.start()
  await clock.advance(1000)
  expect(await successor.get(job.id, 'alice')).toMatchObject({ phase: 'completed' })
  await successor.close()
})

test('a file store that is away for three seconds loses no output that can not be had again', async () => {
  const { clock, provider, serviceOver } = setUp()
  const working = memoryFileStore()
  const backAt = clock.now() + 3000
  const put: typeof working.put = async (...file) => {
    if (clock.now() < backAt) throw new Error('connection refused')
    return working.put(...file)
  }
  const service = serviceOver({}, {}, { files: { ...working, put } })
  const { job } = await service.create(request)
  const last = await finished(service, job.id, clock)
  expect(last).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
  await service.close()
}, 30_000)

test('a provider is not asked any more once the service closes', async () => {
  const { clock, backend, provider, serviceOver } = setUp({ behave: [{ delayMs: 60_000 }] })
  let closed: Promise<void> | undefined
  const replace: JobStore['replace'] = (job, revision) => {
    if (job.phase === 'running' && job.claimedUntil) closed ??= service.close()
    return backend.jobs.replace(job, revision)
  }
  const service = serviceOver({ replace })
  await service.create(request)
  await clock.advance(20_000)
  await closed
  expect(closed).toBeDefined()
  expect(provider.polls).toEqual([])
})

test('a job whose outputs can not all be stored leaves none of them behind when it expires', async () => {
  const { clock, serviceOver } = setUp()
  const kept = new Set<string>()
  const working = memoryFileStore()
  const files: typeof working = {
    ...working,
    put: async (key) => {
      if (key.endsWith('-1')) throw new Error('The disk is full.')
      kept.add(key)
    },
    delete: async (key) => void kept.delete(key),
  }
  const service = serviceOver({}, {}, { files })
  const { job } = await service.create({ ...request, input: { prompt: 'a fox', num_outputs: 2 } })
  const last = await finished(service, job.id, clock, 2_100_000)
  expect(last).toMatchObject({ phase: 'failed', error: { code: 'output_invalid' }, costUsd: 0.02 })
  await clock.advanceTo(job.expiresAt + 10_000)
  expect([...kept]).toEqual([])
  await service.close()
}, 30_000)

test('a job that is admitted after the service has closed is refused, for nobody would make it', async () => {
  const { clock, backend, serviceOver } = setUp()
  const admission = Promise.withResolvers<void>()
  const service = serviceOver({}, {}, { admit: () => admission.promise })
  const refused = expect(service.create(request)).rejects.toMatchObject({ code: 'shutting_down' })
  await clock.advance(0)
  await service.close()
  admission.resolve()
  await refused
  expect(await backend.jobs.due(clock.now(), 1)).toEqual([])
})

test('one expired job whose files can not be deleted keeps no other one', async () => {
  const { clock, backend, serviceOver } = setUp()
  const working = memoryFileStore()
  let stuck = ''
  const remove: typeof working.delete = async (key) => {
    if (key.startsWith(stuck)) throw new Error('permission denied')
    return working.delete(key)
  }
  const service = serviceOver({}, {}, { files: { ...working, delete: remove } })
  stuck = (await service.create(request)).job.id
  const other = (await service.create(request)).job
  await clock.advance(1000)
  await clock.advanceTo(other.expiresAt + 10_000)
  expect(await backend.jobs.get(stuck)).toBeDefined()
  expect(await backend.jobs.get(other.id)).toBeUndefined()
  await service.close()
})

test('jobs of models that nobody here serves do not hide the ones that are', async () => {
  const { clock, backend, serviceOver } = setUp()
  const foreign = serviceOver({}, { models: [{ ...fakeProvider().models[0]!, id: 'elsewhere' }] })
  await foreign.close()
  const { exampleJob } = await import('@genmount/testing')
  const createdAt = clock.now()
  for (let i = 0; i < 300; i++) {
    await backend.jobs.insert(
      exampleJob({ id: `foreign-${i}`, clientToken: `f${i}`, model: 'elsewhere', createdAt }),
    )
  }
  await backend.jobs.insert(exampleJob({ id: 'ours', clientToken: 'ours', createdAt, dueAt: createdAt + 1 }))
  const service = serviceOver()
  service.start()
  await clock.advance(30_000)
  expect(await service.get('ours', 'alice')).toMatchObject({ phase: 'completed' })
  await service.close()
})

test('a request that can not be watched for leaving holds no place and no shutdown', async () => {
  const { clock, serviceOver } = setUp({ behave: [{ delayMs: 60_000 }] })
  const service = serviceOver()
  const { job } = await service.create(request)
  await clock.advance(0)
  const timers = clock.pendingTimers
  const onLeave = () => {
    throw new Error('no signal here')
  }
  await expect(service.waitFor(job.id, 'alice', { onLeave })).rejects.toThrow('no signal here')
  expect(clock.pendingTimers).toBe(timers)
  await service.close()
}, 2000)

test('a step that never comes back from the store does not hold its job for ever, in the same process either', async () => {
  const { clock, backend, provider, serviceOver } = setUp({ dedupesSubmits: true })
  let hangs = 1
  const replace: JobStore['replace'] = (...write) =>
    provider.ledger.length > 0 && hangs-- > 0 ? new Promise(() => {}) : backend.jobs.replace(...write)
  const service = serviceOver({ replace })
  const { job } = await service.create(request)
  await clock.advance(9000)
  expect(await service.get(job.id, 'alice')).toMatchObject({ phase: 'submitting' })
  await clock.advance(3000)
  expect(await service.get(job.id, 'alice')).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
})

test('a job that can not be read does not keep others from expiring', async () => {
  const { clock, backend, serviceOver } = setUp({ behave: [{ delayMs: 600_000 }] })
  const first = serviceOver()
  const { job: unreadable } = await first.create(request)
  const { job: old } = await first.create(request)
  await clock.advance(1_200_000)
  await first.close()
  await backend.jobs.insert({ ...unreadable, id: 'unreadable', expiresAt: old.expiresAt * 2 })
  const service = serviceOver({
    get: async (id) => {
      if (id === 'unreadable') throw new Error('row is corrupt')
      return backend.jobs.get(id)
    },
  })
  service.start()
  await clock.advanceTo(old.expiresAt + 10_000)
  expect(await backend.jobs.get(old.id)).toBeUndefined()
  await service.close()
})
