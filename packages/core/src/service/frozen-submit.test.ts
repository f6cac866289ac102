import { describe, expect, test, vi } from 'vitest'
import { fakeProvider, type FakeProviderOptions, fakeWorld, type ProcessChanges } from '@genmount/testing'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import type { Processes } from '../contracts/storage/backend.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import type { Provider } from '../contracts/provider.ts'
import type { ProviderReport } from '../contracts/provider-report.ts'
import { routeModel } from '../routing/route-model.ts'

const fox = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

/**
 * Two processes over one store, whose backend knows which processes have ended. The first process is frozen in its
 * submit, between its last check of the claim and the first byte of the request. The second process runs from the
 * beginning.
 */
async function frozenInSubmit(fake: FakeProviderOptions, options: ProcessChanges = {}, mayReturnMs = 0) {
  const world = fakeWorld({ behave: () => ({ delayMs: 5000 }), ...fake }, options)
  const { clock, jobs, provider } = world
  const ended = new Set<string>()
  const processesOf = (id: string): Processes => ({
    id,
    mayReturnMs,
    hasEnded: async (other) => ended.has(other),
    leftBehind: async () => [],
  })
  const thawed = Promise.withResolvers<void>()
  let isFrozen = false
  const whenThawed = async () => (isFrozen ? thawed.promise : undefined)
  const backendOf = (id: string, isFirst: boolean) => {
    const { signals, scheduler } = memoryBackend({ clock })
    const replace: typeof jobs.replace = async (job, revision) => {
      if (isFirst) await whenThawed()
      return jobs.replace(job, revision)
    }
    return {
      jobs: { ...jobs, replace },
      signals,
      scheduler,
      processes: processesOf(id),
      durable: true,
      close: async () => {},
    }
  }
  const first = world.serviceOver({
    backend: backendOf('first', true),
    provider: {
      // The limit of the call must not pass while the process is frozen.
      callTimeoutMs: 3_600_000,
      async submit(task, call) {
        isFrozen = true
        await whenThawed()
        return provider.submit(task, call)
      },
    },
  })
  const second = world.serviceOver({ backend: backendOf('second', false) })
  const { id } = (await first.create(fox)).job
  await clock.advance(1000)
  second.start()
  return {
    ...world,
    id,
    second,
    /** The first process continues its work. */
    thaw: () => ((isFrozen = false), thawed.resolve()),
    /** The first process never continues, and the backend reports its end to the second one. */
    end: () => void ended.add('first'),
  }
}

describe('while a process is frozen in its submit', () => {
  test('no other process submits the job, although the provider does not find the task, and it is paid once', async () => {
    const { clock, provider, id, second, thaw } = await frozenInSubmit({ find: true })
    await clock.advance(5 * 60_000)
    expect(provider.submits).toEqual([])
    thaw()
    await clock.advance(5 * 60_000)
    expect(await second.get(id, 'alice')).toMatchObject({ phase: 'completed' })
    expect(provider.ledger).toHaveLength(1)
  })

  test('another process submits the job as soon as the frozen one has ended', async () => {
    const { clock, provider, id, second, end } = await frozenInSubmit({ find: true })
    await clock.advance(2 * 60_000)
    expect(provider.submits).toEqual([])
    end()
    await clock.advance(2 * 60_000)
    expect(await second.get(id, 'alice')).toMatchObject({ phase: 'completed' })
    expect(provider.ledger).toHaveLength(1)
  })

  test('the time for which others have waited for it does not delay the search for a later submit whose answer is lost', async () => {
    const { clock, provider, id, second, end } = await frozenInSubmit({
      find: true,
      behave: () => ({ delayMs: 5000, answer: 'reset' }),
    })
    await clock.advance(2 * 60_000)
    end()
    await clock.advance(30_000)
    expect(await second.get(id, 'alice')).toMatchObject({ phase: 'completed' })
    expect(provider.ledger).toHaveLength(1)
  })

  test('a cancel does not report the job as unpaid: its task is canceled when the process goes on', async () => {
    const { clock, provider, id, second, thaw } = await frozenInSubmit({ find: true, cancel: true })
    await clock.advance(60_000)
    const asked = second.cancel(id, 'alice')
    await clock.advance(60_000)
    expect(await asked).toMatchObject({ phase: 'submitting' })
    thaw()
    await clock.advance(60_000)
    expect(await second.get(id, 'alice')).toMatchObject({
      phase: 'failed',
      error: { code: 'canceled' },
      costUsd: 0.01,
    })
    expect(provider.ledger).toHaveLength(1)
    expect(provider.cancels.length).toBeGreaterThan(0)
  })

  test('no other process fails the job where nobody else can know its outcome, and it completes when the process goes on', async () => {
    const ends: string[] = []
    const { clock, provider, id, second, thaw } = await frozenInSubmit(
      {},
      { onTransition: ({ job }) => void ends.push(job.phase) },
    )
    await clock.advance(20 * 60_000)
    expect(await second.get(id, 'alice')).toMatchObject({ phase: 'submitting' })
    thaw()
    await clock.advance(60_000)
    expect(await second.get(id, 'alice')).toMatchObject({ phase: 'completed' })
    expect(ends).not.toContain('failed')
    expect(provider.ledger).toHaveLength(1)
  })

  test('a canceled job is canceled at its provider when the process goes on', async () => {
    const { clock, jobs, provider, id, second, thaw } = await frozenInSubmit({ cancel: true })
    await second.cancel(id, 'alice')
    await clock.advance(60_000)
    expect(await second.get(id, 'alice')).toMatchObject({ phase: 'submitting' })
    thaw()
    await clock.advance(60_000)
    expect(await jobs.get(id)).toMatchObject({
      error: { code: 'canceled' },
      costUsd: 0.01,
      isCostKnown: true,
    })
    expect([provider.ledger.length, provider.cancels.length]).toEqual([1, 1])
  })

  test('a canceled job is known to have cost nothing when the process has ended and the provider does not find the task', async () => {
    const { clock, provider, id, second, end } = await frozenInSubmit({ find: true, cancel: true })
    await second.cancel(id, 'alice')
    await clock.advance(60_000)
    expect(await second.get(id, 'alice')).toMatchObject({ phase: 'submitting' })
    end()
    await clock.advance(60_000)
    expect(await second.get(id, 'alice')).toMatchObject({
      error: { code: 'canceled' },
      costUsd: 0,
      isCostKnown: true,
    })
    expect(provider.submits).toEqual([])
  })

  test('the job fails at its deadline if the process never goes on', async () => {
    const { clock, provider, id, second } = await frozenInSubmit({ find: true }, { deadlineMs: 600_000 })
    await clock.advance(700_000)
    expect((await second.get(id, 'alice')).error?.code).toBe('submit_ambiguous')
    expect(provider.submits).toEqual([])
  })
})

describe('when a process has ended in its submit, and nobody else can know the outcome', () => {
  test('the job fails at once if such a process never returns', async () => {
    const { clock, id, second, end } = await frozenInSubmit({})
    await clock.advance(60_000)
    end()
    await clock.advance(15_000)
    expect((await second.get(id, 'alice')).error?.code).toBe('submit_ambiguous')
  })

  test('the job waits while the process may only be cut off from the backend, and then fails', async () => {
    const { clock, id, second, end } = await frozenInSubmit({}, {}, 180_000)
    end()
    await clock.advance(180_000)
    expect(await second.get(id, 'alice')).toMatchObject({ phase: 'submitting' })
    await clock.advance(60_000)
    expect((await second.get(id, 'alice')).error?.code).toBe('submit_ambiguous')
  })

  test('the job waits as long for a process that was frozen before it was cut off', async () => {
    const { clock, id, second, end } = await frozenInSubmit({}, {}, 180_000)
    await clock.advance(180_000)
    end()
    await clock.advance(170_000)
    expect(await second.get(id, 'alice')).toMatchObject({ phase: 'submitting' })
    await clock.advance(60_000)
    expect((await second.get(id, 'alice')).error?.code).toBe('submit_ambiguous')
  })

  test('the time for which the job has waited does not delay the repeat of a second submit whose answer is lost', async () => {
    const { clock, provider, id, second, end } = await frozenInSubmit(
      { behave: [{ submit: 'reset' }, { delayMs: 5000 }] },
      { onAmbiguousSubmit: 'resubmit' },
      180_000,
    )
    end()
    await clock.advance(240_000)
    expect(await second.get(id, 'alice')).toMatchObject({ phase: 'completed' })
    expect(provider.ledger).toHaveLength(1)
  })
})

test('a submit whose connection broke before the provider had it is repeated at once by the same process', async () => {
  const { clock, jobs, provider, serviceOver } = fakeWorld({ find: true, behave: [{ submit: 'reset' }, {}] })
  const { signals, scheduler } = memoryBackend({ clock })
  const processes = { id: 'this', hasEnded: async () => false, leftBehind: async () => [] }
  const backend = { jobs, signals, scheduler, processes, durable: true, close: async () => {} }
  const service = serviceOver({ backend })
  const { id } = (await service.create(fox)).job
  await clock.advance(30_000)
  expect(await service.get(id, 'alice')).toMatchObject({ phase: 'completed' })
  expect(provider.submits).toHaveLength(2)
})

test.each<[string, ProviderReport]>([
  ['a refusal', { state: 'refused', message: 'Too busy.' }],
  ['a rejection', { state: 'failed', code: 'provider_rejected', message: 'No credit is left.' }],
])('%s that arrives late does not undo a submit that another process makes again', async (_what, late) => {
  const world = fakeWorld({ dedupesSubmits: true, latencyMs: 20_000, behave: () => ({ delayMs: 5000 }) })
  const { clock, jobs, provider } = world
  const answer = Promise.withResolvers<ProviderReport>()
  let isFrozen = false
  const frozen = world.start({
    provider: { callTimeoutMs: 3_600_000, submit: () => ((isFrozen = true), answer.promise) },
    jobs: {
      // The claim of a frozen process is not renewed.
      replace: (job, revision) =>
        isFrozen ? Promise.reject(new Error('frozen')) : jobs.replace(job, revision),
    },
  })
  const { id } = (await frozen.service.create(fox)).job
  await clock.advance(1000)
  const other = world.start()
  await vi.waitUntil(() => clock.advance(1000).then(() => provider.submits.length > 0), { timeout: 60_000 })
  isFrozen = false
  answer.resolve(late)
  await clock.advance(120_000)
  expect(await other.service.get(id, 'alice')).toMatchObject({ phase: 'completed', costUsd: 0.01 })
  expect(provider.submits).toHaveLength(1)
  expect(provider.ledger).toHaveLength(1)
})

test('a refusal that arrives late sends a job to no other route while another process submits it again', async () => {
  const world = fakeWorld({ dedupesSubmits: true, latencyMs: 20_000, behave: () => ({ delayMs: 5000 }) })
  const { clock, jobs, provider } = world
  const nextProvider = fakeProvider({ clock, name: 'next' })
  const answer = Promise.withResolvers<ProviderReport>()
  let isFrozen = false
  const startWith = (parts: Partial<Provider>, replace: JobStore['replace'] = jobs.replace) => {
    const routes = [{ ...provider, ...parts }, nextProvider].map((way) => ({
      provider: way,
      model: 'fake-image',
    }))
    return world.start({ providers: [routeModel({ id: 'fake-image', routes })], jobs: { replace } })
  }
  const submit = () => ((isFrozen = true), answer.promise)
  const frozen = startWith({ callTimeoutMs: 3_600_000, submit }, (job, revision) =>
    isFrozen ? Promise.reject(new Error('frozen')) : jobs.replace(job, revision),
  )
  const { id } = (await frozen.service.create(fox)).job
  await clock.advance(1000)
  const other = startWith({})
  await vi.waitUntil(() => clock.advance(1000).then(() => provider.submits.length > 0), { timeout: 60_000 })
  isFrozen = false
  answer.resolve({ state: 'refused', message: 'Too busy.' })
  await clock.advance(120_000)
  expect(await other.service.get(id, 'alice')).toMatchObject({ phase: 'completed' })
  expect([provider.ledger.length, nextProvider.ledger.length]).toEqual([1, 0])
})

test('a claim whose write was answered too late delays its job no longer than the claim lasts', async () => {
  const { clock, jobs, provider, serviceOver } = fakeWorld({
    behave: [{ submit: 'connection_refused' }, { delayMs: 5000 }],
    find: true,
  })
  let isLost: boolean | undefined
  const { signals, scheduler } = memoryBackend({ clock })
  const service = serviceOver({
    backend: {
      jobs: {
        ...jobs,
        async replace(job, revision) {
          const outcome = await jobs.replace(job, revision)
          // The first submit is refused. The claim for the second one is stored, but the answer of the store takes 10
          // seconds.
          if (job.phase === 'submitting' && provider.submits.length === 1 && isLost === undefined) {
            isLost = true
            void clock.after(10_000, () => (isLost = false))
          }
          if (isLost) throw new Error('The answer was lost.')
          return outcome
        },
      },
      signals,
      scheduler,
      processes: { id: 'own', hasEnded: async () => false, leftBehind: async () => [] },
      durable: true,
      close: async () => {},
    },
  })
  const { job } = await service.create(fox)
  await clock.advance(2 * 60_000)
  expect(await service.get(job.id, 'alice')).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('a process that was cut off after its submit stores the outputs that only it has, although others have claimed the job', async () => {
  const { clock, jobs, start } = fakeWorld({}, { files: memoryFileStore() })
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  let isCutOff = false
  const whileConnected = async <Result>(call: () => Promise<Result>) => {
    if (isCutOff) throw new Error('The store is away.')
    return call()
  }
  const { service: cutOff } = start({
    provider: {
      submit: async () => ({
        state: 'succeeded',
        outputs: [{ bytes, contentType: 'image/png' }],
        costUsd: 0.01,
      }),
    },
    jobs: {
      get: (id, owner) => whileConnected(() => jobs.get(id, owner)),
      // The store has the record that the task succeeded, and this process does not learn so.
      replace: (job, revision) =>
        whileConnected(async () => {
          const outcome = await jobs.replace(job, revision)
          isCutOff = job.phase === 'collecting' && outcome === 'replaced'
          return whileConnected(async () => outcome)
        }),
    },
  })
  const { id } = (await cutOff.create(fox)).job
  const { service: other } = start()
  await clock.advance(60_000)
  expect(await other.get(id, 'alice')).toMatchObject({ phase: 'collecting' })
  isCutOff = false
  await clock.advance(120_000)
  expect(await other.get(id, 'alice')).toMatchObject({
    phase: 'completed',
    outputs: [{ bytes: bytes.byteLength }],
    costUsd: 0.01,
  })
})
