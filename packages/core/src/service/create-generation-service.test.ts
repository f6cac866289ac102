import { describe, expect, onTestFinished, test } from 'vitest'
import { fakeProvider, type FakeProviderOptions, fakeWorld, refused } from '@genmount/testing'
import type { GenerationServiceOptions } from './generation-service-options.ts'
import { GenerationError } from '../errors/generation-error.ts'

function setUp(fake: FakeProviderOptions = {}, options: Partial<GenerationServiceOptions> = {}) {
  const world = fakeWorld(fake, options)
  const { service } = world
  onTestFinished(async () => void (await service.close()))
  return { ...world, service }
}

async function refusalOf(promise: Promise<unknown>): Promise<GenerationError> {
  const error = await promise.then(
    () => undefined,
    (fault: unknown) => fault,
  )
  expect(error).toBeInstanceOf(GenerationError)
  return error as GenerationError
}

describe('a job', () => {
  test('is accepted at once, made by the provider, and completes with its outputs, cost and times', async () => {
    const { clock, provider, service, create } = setUp()
    const accepted = await create(
      { delay_ms: 4000, num_outputs: 2, inference_ms: 3900 },
      { model: 'fake-video' },
    )
    expect(accepted).toMatchObject({ phase: 'accepted', costUsd: 0, outputs: [] })
    await clock.advance(60_000)
    const job = await service.get(accepted.id, 'alice')
    expect(job).toMatchObject({ phase: 'completed', costUsd: 0.02, inferenceMs: 3900 })
    expect(job.outputs.map(({ contentType }) => contentType)).toEqual(['video/mp4', 'video/mp4'])
    expect(job.completedAt).toBeGreaterThanOrEqual(accepted.createdAt + 4000)
    expect(provider.ledger).toHaveLength(1)
  })

  test('that fails has its reason and its cost', async () => {
    const { create, jobAfter } = setUp()
    const { id } = await create({ fail: 'content_policy', fail_message: 'Not that.', cost_usd: 0.5 })
    expect(await jobAfter(0, id)).toMatchObject({
      phase: 'failed',
      costUsd: 0.5,
      error: { code: 'content_policy', message: 'Not that.' },
    })
  })

  test('fails at its deadline, and is canceled at its provider', async () => {
    const { provider, create, jobAfter } = setUp({ cancel: true }, { deadlineMs: 60_000 })
    const { id } = await create({ delay_ms: 1e9 })
    expect(await jobAfter(61_000, id)).toMatchObject({ error: { code: 'deadline_exceeded' } })
    expect(provider.cancels).toHaveLength(1)
  })

  test('can be read only by its owner, and by nobody once it has expired', async () => {
    const { clock, service, create } = setUp({}, { retentionDays: 1 })
    const { id, expiresAt } = await create()
    const unknown = await refusalOf(service.get('gen_0', 'alice'))
    expect(await refusalOf(service.get(id, 'bob'))).toEqual(unknown)
    await clock.advanceTo(expiresAt - 1)
    expect(await service.get(id, 'alice')).toMatchObject({ id })
    await clock.advance(1)
    expect(await refusalOf(service.get(id, 'alice'))).toEqual(unknown)
  })

  test.each([
    ['DATA:image/png;BASE64,aGVsbG8=', /^\[data URI: image\/png, 5 bytes/],
    ['data:,hello', /^\[data URI: text\/plain, 5 bytes/],
    ['data:text/html;charset=utf-8,%3Cp%3E', /^\[data URI: text\/html, 3 bytes/],
    [`data:image/${'x'.repeat(9999)},hello`, /^.{1,250}$/],
    ['data:image/png;base64,%%%', /^\[data URI: image\/png, 3 bytes/],
    ['data: charts in the rain, painted', /^data: charts in the rain, painted$/],
    ['my data:image/png;base64,x', /^my data:image\/png;base64,x$/],
  ])('shows %s as a placeholder of its type, size and hash', async (image, shown) => {
    const { create } = setUp()
    expect((await create({ image })).shownInput['image']).toMatch(shown)
  })

  test('shows a short placeholder for a data URI, while the provider gets it whole', async () => {
    let seen: unknown
    const behave = (task: { input: object }) => ((seen = task.input), {})
    const { clock, create } = setUp({ behave })
    const job = await create({ image: 'data:image/png;base64,aGVsbG8=' })
    const sha256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
    expect(job.shownInput['image']).toBe(`[data URI: image/png, 5 bytes, sha256 ${sha256}]`)
    await clock.advance(0)
    expect(seen).toMatchObject({ image: 'data:image/png;base64,aGVsbG8=' })
  })
})

describe('a request is refused before anything is spent', () => {
  test.each([
    ['an unknown model', { model: 'nope' }, 'model_not_found', 'model'],
    ['a model of the other kind', { outputKind: 'video' }, 'wrong_output_kind', 'model'],
    ['a missing field', { input: {} }, 'missing_field', 'prompt'],
    ['an unknown field', { input: { prompt: 'a', colour: 1 } }, 'invalid_request', 'colour'],
    ['a wrong value', { input: { prompt: 'a', num_outputs: 9 } }, 'invalid_request', 'num_outputs'],
  ] as const)('%s', async (_what, request, code, param) => {
    const { clock, provider, service } = setUp()
    const good = { owner: 'alice', model: 'fake-image', input: { prompt: 'a' } }
    const refusal = await refusalOf(service.create({ ...good, ...request }))
    expect(refusal).toMatchObject({ code, param })
    expect(refusal.message).toContain(
      code === 'model_not_found' ? 'The models are: fake-image, fake-video.' : param,
    )
    await clock.advance(60_000)
    expect(provider.submits).toEqual([])
  })

  test('by admit of the app, with any code of the table', async () => {
    const admit = () => {
      throw new GenerationError('insufficient_quota', 'The budget is used up.')
    }
    const { create } = setUp({}, { admit })
    expect(await refusalOf(create())).toMatchObject({ code: 'insufficient_quota' })
  })
})

describe('an idempotency key', () => {
  const keyed = (prompt: string, key = 'k', scope = '/v1/generate') => ({
    owner: 'alice',
    model: 'fake-image',
    input: { prompt },
    idempotency: { key, scope },
  })

  test('makes one job of many requests with one body, and refuses another body', async () => {
    const { clock, provider, service } = setUp()
    const first = await service.create(keyed('a'))
    await clock.advance(0)
    const again = await service.create(keyed('a'))
    expect(again).toMatchObject({ replayed: true, job: { id: first.job.id, phase: 'completed' } })
    expect(await refusalOf(service.create(keyed('b')))).toMatchObject({ code: 'idempotency_key_reused' })
    expect(provider.ledger).toHaveLength(1)
  })

  test('may be used again by another owner and in another scope', async () => {
    const { service } = setUp()
    const ids = new Set<string>()
    for (const request of [keyed('a'), keyed('a', 'k', '/v1/other'), { ...keyed('a'), owner: 'bob' }]) {
      ids.add((await service.create(request)).job.id)
    }
    expect(ids.size).toBe(3)
  })

  test('refuses a second request while the first is in flight, and is free again when the first is refused', async () => {
    const admission = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const { service } = setUp({}, { admit: () => (asked.resolve(), admission.promise) })
    const first = refusalOf(service.create(keyed('a')))
    await asked.promise
    const twins = Array.from({ length: 5 }, () => refusalOf(service.create(keyed('a'))))
    for (const { code } of await Promise.all(twins)) expect(code).toBe('idempotency_in_progress')
    admission.reject(new GenerationError('insufficient_quota', 'Not now.'))
    expect((await first).code).toBe('insufficient_quota')
    expect((await refusalOf(service.create(keyed('a')))).code).toBe('insufficient_quota')
  })

  test('answers any number of requests at a time with the same job, once that is stored', async () => {
    const { service } = setUp()
    const { job } = await service.create(keyed('a'))
    const twins = await Promise.all(Array.from({ length: 20 }, () => service.create(keyed('a'))))
    for (const twin of twins) expect(twin).toMatchObject({ replayed: true, job: { id: job.id } })
  })

  test('still gives its job when admit would refuse a new one', async () => {
    let isOpen = true
    const admit = () => {
      if (!isOpen) throw new GenerationError('insufficient_quota', 'The budget is used up.')
    }
    const { service } = setUp({}, { admit })
    await service.create(keyed('a'))
    isOpen = false
    expect(await service.create(keyed('a'))).toMatchObject({ replayed: true })
  })
})

describe('polling', () => {
  test('200 clients that read a job for 10 s cause at most one poll a second', async () => {
    const { clock, provider, service, create } = setUp({ latencyMs: 100 })
    const { id } = await create({ delay_ms: 60_000 })
    await clock.advance(200)
    for (let second = 0; second < 20; second++) {
      const reads = Array.from({ length: 200 }, () => service.get(id, 'alice'))
      await clock.advance(500)
      for (const job of await Promise.all(reads)) expect(job.phase).toBe('running')
    }
    const instants = provider.polls.map(({ at }) => at)
    expect(instants.length).toBeGreaterThan(5)
    for (const [i, at] of instants.entries()) expect(at - (instants[i - 1] ?? 0)).toBeGreaterThanOrEqual(1000)
    expect(provider.overlaps).toEqual([])
  })

  test('a read polls the provider when its last answer is older than the minimum interval', async () => {
    const { clock, service, create } = setUp({ latencyMs: 300 })
    const { id } = await create({ delay_ms: 20_000 })
    await clock.advance(21_000)
    const read = service.get(id, 'alice')
    await clock.advance(400)
    expect(await read).toMatchObject({ phase: 'completed' })
  })

  test('a read waits at most 2 s for a provider that hangs, and gives the last state', async () => {
    const { clock, service, create } = setUp({ behave: [{ delayMs: 60_000, poll: 'hang' }] })
    const { id } = await create()
    await clock.advance(3000)
    const before = clock.now()
    const read = service.get(id, 'alice').then((job) => [job.phase, clock.now() - before])
    await clock.advance(5000)
    expect(await read).toEqual(['running', 2000])
  })

  test('a read does not fail when the provider fails', async () => {
    const { clock, service, create } = setUp({
      behave: [{ delayMs: 5000, poll: ['server_error', 'reset', refused(3000)] }],
    })
    const { id } = await create()
    for (let second = 0; second < 20; second++) {
      const read = service.get(id, 'alice')
      await clock.advance(2500)
      expect((await read).error).toBeUndefined()
    }
    expect(await service.get(id, 'alice')).toMatchObject({ phase: 'completed' })
  })

  test('a poll honours the pause that a provider asks for', async () => {
    const { clock, provider, service, create } = setUp({
      behave: [{ delayMs: 60_000, poll: [refused(30_000)] }],
    })
    const { id } = await create()
    await clock.advance(5000)
    expect(provider.polls).toHaveLength(1)
    for (let second = 0; second < 10; second++) {
      await service.get(id, 'alice')
      await clock.advance(1000)
    }
    expect(provider.polls).toHaveLength(1)
  })
})

describe('waiting', () => {
  test('ends within 250 ms of the end of the job', async () => {
    const { clock, service, create } = setUp()
    const { id } = await create({ delay_ms: 3000 })
    const started = clock.now()
    const waited = service.waitFor(id, 'alice').then((job) => [job.phase, clock.now() - started < 5000])
    await clock.advance(30_000)
    expect(await waited).toEqual(['completed', true])
  })

  test('ends with the processing job when the wait budget is used up, and frees every timer', async () => {
    const { clock, service, create } = setUp({}, { waitBudgetMs: 2000 })
    const { id } = await create({ delay_ms: 60_000 })
    await clock.advance(0)
    const timers = clock.pendingTimers
    const started = clock.now()
    const waited = service
      .waitFor(id, 'alice', { budgetMs: 1e9 })
      .then((job) => [job.phase, clock.now() - started])
    await clock.advance(2500)
    expect(await waited).toEqual(['running', 2000])
    expect(clock.pendingTimers).toBe(timers)
  })

  test('answers 1,000 waiters on 1,000 jobs', async () => {
    const { clock, service, create } = setUp()
    const ids = await Promise.all(
      Array.from({ length: 1000 }, async (_, i) => (await create({ delay_ms: i % 50 })).id),
    )
    const waits = Promise.all(ids.map((id) => service.waitFor(id, 'alice')))
    await clock.advance(20_000)
    for (const job of await waits) expect(job.phase).toBe('completed')
  })

  test('answers a waiter above maxWaiters at once', async () => {
    const { clock, service, create } = setUp({}, { maxWaiters: 1 })
    const { id } = await create({ delay_ms: 60_000 })
    const first = service.waitFor(id, 'alice')
    await Promise.resolve()
    await clock.advance(0)
    expect((await service.waitFor(id, 'alice')).phase).not.toBe('completed')
    await service.close()
    expect((await first).phase).toBe('running')
  })

  test('frees the waiter of a caller who leaves, and the job goes on', async () => {
    const { clock, service, create, jobAfter } = setUp()
    const { id } = await create({ delay_ms: 3000 })
    let leave = () => {}
    let isRegistered = false
    const onLeave = (listener: () => void) => {
      leave = listener
      isRegistered = true
      return () => (isRegistered = false)
    }
    const waited = service.waitFor(id, 'alice', { onLeave })
    await clock.advance(10)
    expect(isRegistered).toBe(true)
    leave()
    expect((await waited).phase).toBe('running')
    expect(isRegistered).toBe(false)
    expect(await jobAfter(30_000, id)).toMatchObject({ phase: 'completed' })
  })
})

describe('closing', () => {
  test('answers waiters, records a submit in flight, and leaves no timer', async () => {
    const { clock, provider, service, create } = setUp({ latencyMs: 5000 })
    const { id } = await create({ delay_ms: 60_000 })
    await clock.advance(100)
    const waited = service.waitFor(id, 'alice')
    await clock.advance(100)
    const closed = service.close()
    expect((await waited).phase).toBe('submitting')
    let isClosed = false
    void closed.then(() => (isClosed = true))
    await clock.advance(1000)
    expect(isClosed).toBe(false)
    await clock.advance(5000)
    await closed
    expect(provider.ledger).toHaveLength(1)
    expect(clock.pendingTimers).toBe(0)
  })

  test('aborts a poll at once', async () => {
    const { clock, provider, service, create } = setUp({ behave: [{ delayMs: 60_000, poll: 'hang' }] })
    await create()
    await clock.advance(20_000)
    expect(provider.polls).toHaveLength(1)
    await service.close()
    expect(clock.pendingTimers).toBe(0)
  })

  test('may be called twice and before the start, and refuses later creates', async () => {
    const { service, create } = setUp()
    await Promise.all([service.close(), service.close()])
    expect(await refusalOf(create())).toMatchObject({ code: 'shutting_down' })
    expect(() => service.start()).toThrow(GenerationError)
  })
})

test('the memory backend logs at the start that it loses its jobs with the process', () => {
  const { log, service } = setUp()
  expect(log.lines).toEqual([])
  service.start()
  service.start()
  expect(log.lines).toEqual(['genmount keeps jobs in memory: they are lost when this process ends.'])
})

test.each([
  ['retentionDays', { retentionDays: 0 }],
  ['deadlineMs', { deadlineMs: Number.NaN }],
  ['waitBudgetMs', { waitBudgetMs: 2 ** 31 }],
  ['maxWaiters', { maxWaiters: 1.5 }],
  ['onAmbiguousSubmit', { onAmbiguousSubmit: 'retry' as never }],
  ['providers', { providers: undefined as never }],
  ['providers', { providers: [] }],
  ['providers', { providers: [fakeProvider(), fakeProvider()] }],
])('a wrong %s throws a TypeError when the service is made', (name, options) => {
  expect(() => setUp({}, options)).toThrow(name)
})
