import { expect, test } from 'vitest'
import { exampleJob, type FakeProviderOptions, fakeModels, fakeWorld } from '@genmount/testing'
import type { JobStore } from '../contracts/storage/job-store.ts'
import { malformedJob } from '../errors/generation-error.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
/** The sweeps of a whole week take seconds. */
const forOneDay = { retentionDays: 1 }
const foreignModels = [{ ...fakeModels[0]!, id: 'elsewhere' }]

test('a process that was cut off while it looked for a lost submit does not submit a job that another has taken over', async () => {
  const { clock, provider, jobs, serviceOver } = fakeWorld({
    behave: [{ submit: 'reset' }, { delayMs: 300_000 }],
    find: true,
  })
  let isCutOff = false
  const found = Promise.withResolvers<undefined>()
  const replace: JobStore['replace'] = (...write) =>
    isCutOff ? Promise.reject(new Error('no route to the database')) : jobs.replace(...write)
  const first = serviceOver({
    jobs: { replace },
    provider: { find: () => ((isCutOff = true), found.promise), callTimeoutMs: 600_000 },
  })
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
])('a store that writes and then reports a failure loses no %s job', async (_what, fake) => {
  const { provider, jobs, serviceOver, jobAfter } = fakeWorld(fake)
  const written = new Set<number>()
  const replace: JobStore['replace'] = async (job, revision) => {
    const outcome = await jobs.replace(job, revision)
    if (job.claim?.until && job.phase !== 'collecting') return outcome
    if (written.size < written.add(job.revision).size) throw new Error('connection reset')
    return outcome
  }
  const service = serviceOver({ jobs: { replace } })
  const { job } = await service.create(request)
  expect(await jobAfter(60_000, job.id, service)).toMatchObject({ phase: 'completed', costUsd: 0.01 })
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('the answer to a submit that the store refuses as malformed is logged at once with the task of the vendor, kept, and written when the store takes it', async () => {
  const { clock, provider, jobs, log, serviceOver, jobAfter } = fakeWorld({ behave: [{ delayMs: 3000 }] })
  let isFussy = true
  const replace: JobStore['replace'] = async (job, revision) => {
    if (isFussy && job.phase === 'running') throw malformedJob(job.id, 'a number has fractions')
    return jobs.replace(job, revision)
  }
  const service = serviceOver({ jobs: { replace } })
  const { job } = await service.create(request)
  await clock.advance(0)
  const line = `Job ${job.id} (owner alice, model fake-image, provider fake, task {"fakeTask":1}) can't be written as it is: Job ${job.id} is malformed: a number has fractions.`
  expect(log.errors).toEqual([line])
  await clock.advance(55_000)
  expect(log.errors).toEqual([line])
  isFussy = false
  expect(await jobAfter(60_000, job.id, service)).toMatchObject({ phase: 'completed', costUsd: 0.01 })
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('a job whose claims the store refuses as malformed is logged once a minute, and the client of a new one gets internal_error', async () => {
  const { clock, jobs, log, serviceOver, start } = fakeWorld({ behave: [{ delayMs: 3000 }] })
  const { service: first, die } = start()
  const { id } = (await first.create(request)).job
  await clock.advance(0)
  die()
  const refuse = async ({ id: refused }: { readonly id: string }) => {
    throw malformedJob(refused, 'a number has fractions')
  }
  const service = serviceOver({ jobs: { replace: refuse } })
  service.start()
  await clock.advance(180_000)
  const linesOf = (text: string) => log.errors.filter((each) => each.includes(text)).length
  expect(linesOf(`Job ${id} (`)).toBe(3)
  expect(linesOf('could not be taken or recorded')).toBe(3)
  const fussy = serviceOver({ jobs: { insert: refuse } })
  await expect(fussy.create(request)).rejects.toMatchObject({ code: 'internal_error' })
  expect(await jobs.get(id)).toBeDefined()
  const closed = Promise.all([service.close(), fussy.close()])
  await clock.advance(120_000)
  await closed
})

test('a waiter gets the stored end of its job, although the answer to the write was lost', async () => {
  const { clock, jobs, serviceOver } = fakeWorld()
  let isLost = false
  const replace: JobStore['replace'] = async (job, revision) => {
    const outcome = await jobs.replace(job, revision)
    if (job.phase === 'completed' && !isLost) {
      isLost = true
      throw new Error('connection reset')
    }
    return outcome
  }
  const service = serviceOver({ jobs: { replace } })
  const { job } = await service.create(request)
  const waiting = service.waitFor(job.id, 'alice')
  await clock.advance(60_000)
  expect(isLost).toBe(true)
  expect(await waiting).toEqual(await jobs.get(job.id))
  await service.close()
})

test('a claim renewal whose answer is lost does not abort its submit', async () => {
  const { clock, provider, jobs, serviceOver, jobAfter } = fakeWorld({ latencyMs: 45_000 })
  let losses = 0
  const replace: JobStore['replace'] = async (job, revision) => {
    const outcome = await jobs.replace(job, revision)
    if (job.phase === 'submitting' && job.revision > 2 && losses++ === 0) throw new Error('connection reset')
    return outcome
  }
  const service = serviceOver({ jobs: { replace } })
  const { job } = await service.create(request)
  await clock.advance(20_000)
  const last = await jobAfter(60_000, job.id, service)
  expect(losses).toBeGreaterThan(1)
  expect(last).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('a task that finished while no process lived completes its job after the deadline', async () => {
  const { clock, provider, serviceOver, jobAfter } = fakeWorld({
    behave: [{ delayMs: 20_000 }],
    cancel: true,
  })
  const doomed = serviceOver()
  const { job } = await doomed.create(request)
  await clock.advance(1000)
  await doomed.close()
  await clock.advance(3_600_000)
  const successor = serviceOver()
  successor.start()
  expect(await jobAfter(1000, job.id, successor)).toMatchObject({ phase: 'completed', costUsd: 0.01 })
  expect(provider.cancels).toEqual([])
  await successor.close()
})

test('a job whose outputs are ready at the provider completes after its deadline', async () => {
  const { clock, jobs, serviceOver, start, jobAfter } = fakeWorld()
  const files = memoryFileStore()
  const { service: doomed, die } = start({
    files: {
      ...files,
      async put(...file) {
        await new Promise<void>((resolve) => void clock.after(300, resolve))
        return files.put(...file)
      },
    },
    jobs: {
      async replace(job, revision) {
        if (job.phase === 'completed') die()
        return job.phase === 'completed' ? 'stale' : jobs.replace(job, revision)
      },
    },
  })
  const { job } = await doomed.create(request)
  await clock.advance(1000)
  expect(await jobs.get(job.id)).toMatchObject({ phase: 'collecting' })
  await clock.advance(3_600_000)
  const successor = serviceOver({ files })
  successor.start()
  expect(await jobAfter(1000, job.id, successor)).toMatchObject({ phase: 'completed' })
  await successor.close()
})

test('a file store that is away for three seconds loses no output that exists only once', async () => {
  const { clock, provider, serviceOver, jobAfter } = fakeWorld()
  const working = memoryFileStore()
  const backAt = clock.now() + 3000
  const put: typeof working.put = async (...file) => {
    if (clock.now() < backAt) throw new Error('connection refused')
    return working.put(...file)
  }
  const service = serviceOver({ files: { ...working, put } })
  const { job } = await service.create(request)
  expect(await jobAfter(60_000, job.id, service)).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('no provider is called after the service has closed', async () => {
  const { clock, provider, jobs, serviceOver } = fakeWorld({ behave: [{ delayMs: 60_000 }] })
  let closed: Promise<unknown> | undefined
  const replace: JobStore['replace'] = (job, revision) => {
    if (job.phase === 'running' && job.claim?.until) closed ??= service.close()
    return jobs.replace(job, revision)
  }
  const service = serviceOver({ jobs: { replace } })
  await service.create(request)
  await clock.advance(20_000)
  await closed
  expect(closed).toBeDefined()
  expect(provider.polls).toEqual([])
})

test('a job whose outputs were stored only in part leaves no file behind when it expires', async () => {
  const { clock, serviceOver, jobAfter } = fakeWorld({}, forOneDay)
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
  const service = serviceOver({ files })
  const { job } = await service.create({ ...request, input: { prompt: 'a fox', num_outputs: 2 } })
  expect(await jobAfter(2_100_000, job.id, service)).toMatchObject({
    phase: 'failed',
    error: { code: 'output_invalid' },
    costUsd: 0.02,
  })
  await clock.advanceTo(job.expiresAt + 10_000)
  expect([...kept]).toEqual([])
  await service.close()
})

test('a create whose admit ends after the service has closed is refused', async () => {
  const { clock, jobs, serviceOver } = fakeWorld()
  const admission = Promise.withResolvers<void>()
  const service = serviceOver({ admit: () => admission.promise })
  const refused = expect(service.create(request)).rejects.toMatchObject({ code: 'shutting_down' })
  await clock.advance(0)
  await service.close()
  admission.resolve()
  await refused
  expect(await jobs.due(clock.now(), 1)).toEqual([])
})

test('an expired job whose files can not be deleted does not delay the deletion of others', async () => {
  const { clock, jobs, serviceOver } = fakeWorld({}, forOneDay)
  const working = memoryFileStore()
  let stuck = ''
  const remove: typeof working.delete = async (key) => {
    if (key.startsWith(stuck)) throw new Error('permission denied')
    return working.delete(key)
  }
  const service = serviceOver({ files: { ...working, delete: remove } })
  stuck = (await service.create(request)).job.id
  const other = (await service.create(request)).job
  await clock.advance(1000)
  await clock.advanceTo(other.expiresAt + 10_000)
  expect(await jobs.get(stuck)).toBeDefined()
  expect(await jobs.get(other.id)).toBeUndefined()
  await service.close()
})

test('due jobs of models that this process does not serve do not hide the others', async () => {
  const { clock, jobs, serviceOver, jobAfter } = fakeWorld()
  const foreign = serviceOver({ provider: { models: foreignModels } })
  await foreign.close()
  const createdAt = clock.now()
  for (let i = 0; i < 300; i++) {
    await jobs.insert(exampleJob({ id: `foreign-${i}`, clientToken: `f${i}`, model: 'elsewhere', createdAt }))
  }
  await jobs.insert(exampleJob({ id: 'ours', clientToken: 'ours', createdAt, dueAt: createdAt + 1 }))
  const service = serviceOver()
  service.start()
  expect(await jobAfter(30_000, 'ours', service)).toMatchObject({ phase: 'completed' })
  await service.close()
})

test('a waiter without an abort signal is answered at the shutdown and frees its place', async () => {
  const { clock, serviceOver } = fakeWorld({ behave: [{ delayMs: 60_000 }] })
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

test('a step whose store call never returns is taken over after its lease, also in the same process', async () => {
  const { provider, jobs, serviceOver, jobAfter } = fakeWorld({ dedupesSubmits: true })
  let hangs = 1
  const replace: JobStore['replace'] = (...write) =>
    provider.ledger.length > 0 && hangs-- > 0 ? new Promise(() => {}) : jobs.replace(...write)
  const service = serviceOver({ jobs: { replace } })
  const { job } = await service.create(request)
  expect(await jobAfter(9000, job.id, service)).toMatchObject({ phase: 'submitting' })
  expect(await jobAfter(3000, job.id, service)).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
})

test('a job that can not be read does not delay the expiry of others', async () => {
  const { clock, jobs, serviceOver } = fakeWorld({ behave: [{ delayMs: 600_000 }] }, forOneDay)
  const first = serviceOver()
  const { job: unreadable } = await first.create(request)
  const { job: old } = await first.create(request)
  await clock.advance(1_200_000)
  await first.close()
  await jobs.insert({ ...unreadable, id: 'unreadable', expiresAt: old.expiresAt * 2 })
  const get: JobStore['get'] = async (id) => {
    if (id === 'unreadable') throw new Error('row is corrupt')
    return jobs.get(id)
  }
  const service = serviceOver({ jobs: { get } })
  service.start()
  await clock.advanceTo(old.expiresAt + 10_000)
  expect(await jobs.get(old.id)).toBeUndefined()
  await service.close()
})
