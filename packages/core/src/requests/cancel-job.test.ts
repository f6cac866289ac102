import { callbacks } from '@genmount/core/callbacks'
import { describe, expect, test, vi } from 'vitest'
import { fakeProvider, fakeWorld, refused } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import type { Provider } from '../contracts/provider.ts'
import { routeModel } from '../routing/route-model.ts'

const fox = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

/** A job that waits for its turn, because another job has the only place at the provider. */
async function waitingJob() {
  const world = fakeWorld(
    { cancel: true, behave: [{ delayMs: 60_000 }], latencyMs: 30_000 },
    { provider: { maxConcurrentJobs: 1 } },
  )
  await world.create()
  const job = await world.create({ prompt: 'a kite' })
  return { ...world, job }
}

describe('a job that is not submitted yet', () => {
  test('fails as canceled at once, is known to have cost nothing, and is never submitted', async () => {
    const { service, clock, provider, jobs, job } = await waitingJob()
    expect((await jobs.get(job.id))?.phase).toBe('accepted')
    expect(await service.cancel(job.id, 'alice')).toMatchObject({
      phase: 'failed',
      error: { code: 'canceled' },
      costUsd: 0,
      isCostKnown: true,
    })
    await clock.advance(600_000)
    expect(provider.submits.filter(({ jobId }) => jobId === job.id)).toEqual([])
  })

  test('wakes its waiters and reaches onJobEnd and the ledger', async () => {
    const ended: Job[] = []
    const world = fakeWorld(
      { behave: [{ delayMs: 60_000 }], latencyMs: 30_000 },
      { provider: { maxConcurrentJobs: 1 }, onJobEnd: (job) => void ended.push(job) },
    )
    await world.create()
    const { id } = await world.create()
    const waiter = world.service.waitFor(id, 'alice')
    await world.clock.advance(0)
    await world.service.cancel(id, 'alice')
    expect((await waiter).error?.code).toBe('canceled')
    expect(ended.map((job) => job.id)).toEqual([id])
    const all = { owner: 'alice', from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 }
    expect(await world.jobs.costs?.(all)).toMatchObject([{ job: id, costUsd: 0 }])
  })

  test('is known to have cost nothing, also when only the answer to its insert was lost', async () => {
    const ended: Job[] = []
    const world = fakeWorld({ find: true }, { onJobEnd: (job) => void ended.push(job) })
    let isAway = false
    const first = world.start({
      jobs: {
        async insert(job) {
          await world.jobs.insert(job)
          isAway = true
          throw new Error('ECONNRESET')
        },
        get: (...given) => (isAway ? Promise.reject(new Error('ECONNRESET')) : world.jobs.get(...given)),
      },
    })
    const keyed = { ...fox, idempotency: { key: 'k', scope: 'generate' } }
    const second = world.serviceOver()
    const refusal = expect(first.service.create(keyed)).rejects.toMatchObject({ code: 'store_unavailable' })
    await world.clock.advance(1000)
    await refusal
    const { job, replayed } = await second.create(keyed)
    expect([job.phase, replayed]).toEqual(['submitting', true])
    const waiter = second.waitFor(job.id, 'alice')
    await second.cancel(job.id, 'alice')
    isAway = false
    await world.clock.advance(10_000)
    expect(await waiter).toMatchObject({ error: { code: 'canceled' }, costUsd: 0, isCostKnown: true })
    expect(world.provider.submits).toEqual([])
    expect(ended.map(({ id }) => id)).toEqual([job.id])
    const all = { owner: 'alice', from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 }
    expect(await world.jobs.costs?.(all)).toMatchObject([{ job: job.id, costUsd: 0 }])
  })

  test('is not submitted by another process that is about to claim it', async () => {
    const world = fakeWorld({ behave: [{ submit: refused(5000) }, { delayMs: 60_000 }] })
    let canceled: Promise<Job> | undefined
    const slow = world.start({
      jobs: {
        async replace(job, revision) {
          if (job.attempts > 0 && job.phase === 'submitting') await (canceled = cancel(job.id))
          return world.jobs.replace(job, revision)
        },
      },
    })
    const cancel = (id: string) => world.serviceOver().cancel(id, 'alice')
    const { id } = (await slow.service.create(fox)).job
    await world.clock.advance(60_000)
    expect(await canceled).toMatchObject({ id, error: { code: 'canceled' }, costUsd: 0, isCostKnown: true })
    expect(world.provider.submits).toHaveLength(1)
    expect(world.provider.ledger).toEqual([])
  })
})

describe('a job whose submit is under way', () => {
  test('is canceled at its provider when the answer arrives, and fails with the cost that the provider reports', async () => {
    const world = fakeWorld({ cancel: true, behave: [{ delayMs: 60_000, costUsd: 0.3 }], latencyMs: 10_000 })
    const { id } = await world.create()
    await world.clock.advance(1000)
    expect(await world.service.cancel(id, 'alice')).toMatchObject({ phase: 'submitting' })
    expect(await world.jobAfter(45_000, id)).toMatchObject({
      phase: 'failed',
      error: { code: 'canceled' },
      costUsd: 0.3,
    })
    expect(world.provider.ledger).toHaveLength(1)
    expect(world.provider.cancels).toHaveLength(1)
  })

  test('is known to have cost nothing if the provider refuses it', async () => {
    const world = fakeWorld({ behave: [{ submit: refused() }], latencyMs: 10_000 })
    const { id } = await world.create()
    await world.clock.advance(1000)
    await world.service.cancel(id, 'alice')
    expect(await world.jobAfter(60_000, id)).toMatchObject({
      phase: 'failed',
      error: { code: 'canceled' },
      isCostKnown: true,
      costUsd: 0,
    })
    expect(world.provider.submits).toHaveLength(1)
  })

  test('is not submitted to another provider if the first one refuses it', async () => {
    const next = fakeProvider({ name: 'next' })
    const slow = fakeProvider({ behave: [{ submit: refused() }] })
    const answer = Promise.withResolvers<void>()
    const submit: Provider['submit'] = async (...given) => {
      await answer.promise
      return slow.submit(...given)
    }
    const routes = [{ ...slow, submit }, next].map((provider) => ({ provider, model: 'fake-image' }))
    const world = fakeWorld({}, { providers: [routeModel({ id: 'fake-image', routes })] })
    const { id } = await world.create()
    await world.clock.advance(1000)
    await world.service.cancel(id, 'alice')
    answer.resolve()
    expect(await world.jobAfter(60_000, id)).toMatchObject({ error: { code: 'canceled' }, isCostKnown: true })
    expect([slow.submits.length, next.submits.length]).toEqual([1, 0])
  })

  test('is not submitted again by a process that finds the cancel when it writes its claim', async () => {
    const world = fakeWorld({ dedupesSubmits: true, behave: [{ delayMs: 90_000 }], latencyMs: 10_000 })
    const first = world.start()
    const { id } = (await first.service.create(fox)).job
    await world.clock.advance(1000)
    first.die()
    let canceled: Promise<Job> | undefined
    const second = world.start({
      jobs: {
        async replace(job, revision) {
          const isRenewal = job.phase === 'submitting' && job.submitToken === job.claim?.token
          if (isRenewal) await (canceled ??= world.serviceOver().cancel(id, 'alice'))
          return world.jobs.replace(job, revision)
        },
      },
    })
    await world.clock.advance(120_000)
    expect(await canceled).toMatchObject({ phase: 'submitting' })
    expect(await second.service.get(id, 'alice')).toMatchObject({ phase: 'failed' })
    expect(world.provider.submits).toHaveLength(1)
  })

  test('completes if its task finishes within the submit, and a second cancel gives the completed job', async () => {
    const world = fakeWorld({ cancel: true, behave: [{}], latencyMs: 10_000 })
    const { id } = await world.create()
    await world.clock.advance(1000)
    await world.service.cancel(id, 'alice')
    expect(await world.jobAfter(20_000, id)).toMatchObject({ phase: 'completed', costUsd: 0.01 })
    expect(await world.service.cancel(id, 'alice')).toMatchObject({ phase: 'completed' })
  })

  test.each([{ dedupesSubmits: true }, { find: true, dedupesSubmits: true }, { find: true }, {}])(
    'is not submitted again after its process has died, whatever the provider supports: %j',
    async (offers) => {
      const world = fakeWorld({ ...offers, cancel: true, behave: [{ delayMs: 90_000 }], latencyMs: 10_000 })
      const first = world.start()
      const { id } = (await first.service.create(fox)).job
      await world.clock.advance(1000)
      const second = world.start()
      await second.service.cancel(id, 'alice')
      first.die()
      await world.clock.advance(120_000)
      const job = await second.service.get(id, 'alice')
      const { find = false } = offers as { find?: boolean }
      expect(job.error?.code).toBe(find ? 'canceled' : 'submit_ambiguous')
      if (!find) expect(job.error?.message).toContain('which was canceled during its submit')
      expect(world.provider.submits).toHaveLength(1)
      expect(world.provider.cancels).toHaveLength(find ? 1 : 0)
    },
  )
})

describe('a running job', () => {
  test('is canceled at its provider by its handle, and fails at once with the cost that the provider reports', async () => {
    const world = fakeWorld({ cancel: true, behave: [{ delayMs: 60_000, costUsd: 0.2 }] })
    const { id } = await world.create()
    await world.clock.advance(5000)
    expect(await world.service.cancel(id, 'alice')).toMatchObject({
      phase: 'failed',
      error: { code: 'canceled', message: 'The job was canceled.' },
      costUsd: 0.2,
      isCostKnown: true,
    })
    expect(world.provider.cancels).toHaveLength(1)
  })

  test('fails at once where the provider can not cancel, and its cost is unknown', async () => {
    const world = fakeWorld({ behave: [{ delayMs: 60_000 }] })
    const { id } = await world.create()
    await world.clock.advance(5000)
    const job = await world.service.cancel(id, 'alice')
    expect(job).toMatchObject({ phase: 'failed', error: { code: 'canceled' } })
    expect(job.isCostKnown).toBeUndefined()
    const all = { owner: 'alice', from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 }
    expect((await world.jobs.costs?.(all))?.[0]).not.toHaveProperty('costUsd')
  })

  test('completes if its task has finished before', async () => {
    const world = fakeWorld({ behave: [{ delayMs: 5000, pollAfterMs: 60_000 }] })
    const { id } = await world.create()
    await world.clock.advance(20_000)
    expect((await world.jobs.get(id))?.phase).toBe('running')
    expect(await world.service.cancel(id, 'alice')).toMatchObject({ phase: 'completed', costUsd: 0.01 })
  })

  test('is canceled again with growing pauses while the provider does not answer, and ends by its deadline', async () => {
    const calls: number[] = []
    const world = fakeWorld(
      { behave: [{ delayMs: 3_000_000 }] },
      {
        deadlineMs: 600_000,
        provider: {
          cancel: () => {
            calls.push(world.clock.now())
            return Promise.reject(new Error('ECONNRESET'))
          },
        },
      },
    )
    const { id } = await world.create()
    await world.clock.advance(5000)
    const asked = world.service.cancel(id, 'alice')
    await world.clock.advance(2000)
    expect(await asked).toMatchObject({ phase: 'running' })
    const ended = await world.jobAfter(700_000, id)
    expect(ended).toMatchObject({ phase: 'failed', error: { code: 'canceled' } })
    expect(ended.isCostKnown).toBeUndefined()
    expect(calls.length).toBeGreaterThan(5)
    expect(calls.length).toBeLessThan(30)
  })

  test('can be canceled while another process polls it', async () => {
    const world = fakeWorld({ cancel: true, behave: [{ delayMs: 60_000 }], latencyMs: 1500 })
    const [one, other] = [world.serviceOver(), world.serviceOver()]
    const { id } = (await one.create(fox)).job
    await world.clock.advance(5000)
    const polled = one.get(id, 'alice')
    await world.clock.advance(500)
    const canceled = other.cancel(id, 'alice')
    await world.clock.advance(30_000)
    await Promise.all([polled, canceled])
    expect((await other.get(id, 'alice')).error?.code).toBe('canceled')
    expect(world.provider.cancels.length).toBeGreaterThan(0)
  })
})

describe('a cancel', () => {
  test('of a job that has finished is refused, and changes nothing', async () => {
    const world = fakeWorld({ behave: [{}] })
    const { id } = await world.create()
    const finished = await world.jobAfter(1000, id)
    await expect(world.service.cancel(id, 'alice')).rejects.toMatchObject({ code: 'job_finished' })
    expect(await world.jobs.get(id)).toEqual(finished)
  })

  test('gives the same answer when it is repeated', async () => {
    const { service, job } = await waitingJob()
    const first = await service.cancel(job.id, 'alice')
    expect(await service.cancel(job.id, 'alice')).toEqual(first)
  })

  test('of an unknown job and of a foreign job is refused in the same words', async () => {
    const { service, job } = await waitingJob()
    const [foreign, unknown] = await Promise.allSettled([
      service.cancel(job.id, 'bob'),
      service.cancel('gen_0', 'alice'),
    ])
    expect(foreign).toMatchObject({ status: 'rejected', reason: { code: 'job_not_found' } })
    expect(foreign).toEqual(unknown)
    expect((await service.get(job.id, 'alice')).phase).toBe('accepted')
  })

  test('is not lost when the process with the claim writes at the same moment', async () => {
    const world = fakeWorld({ cancel: true, behave: [{ delayMs: 90_000 }], latencyMs: 25_000 })
    let overtaken = 0
    const holder = world.start({
      jobs: {
        async replace(job, revision) {
          if (job.phase === 'submitting' && overtaken++ === 0)
            await world.serviceOver().cancel(job.id, 'alice')
          return world.jobs.replace(job, revision)
        },
      },
    })
    const { id } = (await holder.service.create(fox)).job
    expect(await world.jobAfter(90_000, id, holder.service)).toMatchObject({ error: { code: 'canceled' } })
    expect(overtaken).toBeGreaterThan(0)
  })

  test('is not lost when a callback is stored at the same moment', async () => {
    const world = fakeWorld(
      { cancel: true, behave: [{ delayMs: 90_000 }], sendCallback: () => {} },
      { plugins: [callbacks({ baseUrl: 'https://app.example' })] },
    )
    const { id } = await world.create()
    await vi.waitUntil(() => world.provider.ledger.length > 0, 20_000)
    await world.clock.advance(1000)
    let overtaken = 0
    const canceler = world.start({
      jobs: {
        async replace(job, revision) {
          if (job.cancelAskedAt !== undefined && overtaken++ === 0)
            await world.serviceOver().receiveCallback(id, world.provider.callbackFor(id))
          return world.jobs.replace(job, revision)
        },
      },
    })
    const asked = canceler.service.cancel(id, 'alice')
    await world.clock.advance(10_000)
    expect((await asked).error?.code ?? (await world.jobs.get(id))?.error?.code).toBe('canceled')
    expect(overtaken).toBeGreaterThan(0)
  })
})
