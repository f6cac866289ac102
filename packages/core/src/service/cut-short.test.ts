import { describe, expect, test } from 'vitest'
import { type FakeProviderOptions, fakeProvider, fakeWorld, type ProcessChanges } from '@genmount/testing'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

const never = new Promise<never>(() => {})
/** How long the service is open, in milliseconds. */
const openMs = 3000
const timeoutMs = 5000
/** How much longer than `timeoutMs` a close may take, in milliseconds. */
const marginMs = 700

type World = ReturnType<typeof fakeWorld>

/**
 * A job at a service with faults, which closes after 3 seconds. Then a service without these faults starts over the same
 * jobs and files.
 */
async function cutShort(fake: FakeProviderOptions, faultsIn: (world: World) => ProcessChanges = () => ({})) {
  const files = memoryFileStore()
  const world = fakeWorld(fake, { files })
  const service = world.serviceOver(faultsIn(world))
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  await world.clock.advance(openMs)
  const from = world.clock.now()
  const closed = service.close({ timeoutMs }).then((result) => ({ result, tookMs: world.clock.now() - from }))
  await world.clock.advance(60_000)
  const { result, tookMs } = await closed
  const left = await world.jobs.get(job.id)
  world.start()
  await world.clock.advance(120_000)
  return { ...world, id: job.id, result, tookMs, left, job: await world.jobs.get(job.id) }
}

describe('a submit in flight when the time of close() is up is left to the next start as not answered', () => {
  const afterwards: readonly (readonly [string, FakeProviderOptions, 'answer' | 'submit', string])[] = [
    ['which finds it', { find: true }, 'answer', 'completed'],
    ['which submits it where the vendor has never had it', { find: true }, 'submit', 'completed'],
    ['which submits it again where the vendor dedupes', { dedupesSubmits: true }, 'answer', 'completed'],
    ['which fails it where nobody can know', {}, 'answer', 'failed'],
  ]
  describe.each([
    ['ends', {}],
    ['ignores that it is aborted', { signal: new AbortController().signal }],
  ])('and the call %s', (_how, call) => {
    test.each(afterwards)('%s', async (_what, options, fault, phase) => {
      const behave = (_task: unknown, attempt: number) => (attempt === 1 ? { [fault]: 'hang' as const } : {})
      const { id, result, tookMs, left, job, provider } = await cutShort({ ...options, behave }, (world) => ({
        provider: { submit: (task, own) => world.provider.submit(task, { ...own, ...call }) },
      }))
      expect(result).toEqual({ leftJobs: [id], unclosed: [] })
      expect(tookMs).toBeLessThanOrEqual(timeoutMs + marginMs)
      expect(left).toMatchObject({ phase: 'submitting' })
      expect(left?.claim?.until).toBeUndefined()
      expect(job).toMatchObject({ phase, ...(phase === 'failed' && { error: { code: 'submit_ambiguous' } }) })
      expect(provider.ledger).toHaveLength(1)
    })
  })
})

test('no submit begins when the time of close() is up, and the next process makes it', async () => {
  // The first submit makes no connection. The second submit begins with a claim that is a separate write.
  const behave = (_task: unknown, attempt: number) =>
    attempt === 1 ? { submit: 'connection_refused' as const } : {}
  const { left, job, provider } = await cutShort({ behave }, ({ jobs, clock }) => {
    let isLate = false
    const answerAt = clock.now() + openMs + timeoutMs * 0.85
    return {
      // The claim is written, but the answer of the store arrives only when the service is about to give up.
      jobs: {
        async replace(next, expectedRevision) {
          const outcome = await jobs.replace(next, expectedRevision)
          if (isLate || next.phase !== 'submitting') return outcome
          isLate = true
          return new Promise((resolve) => clock.after(answerAt - clock.now(), () => resolve(outcome)))
        },
      },
    }
  })
  expect(left).toMatchObject({ phase: 'accepted' })
  expect(job).toMatchObject({ phase: 'completed' })
  expect([provider.submits.length, provider.ledger.length]).toEqual([2, 1])
})

test('outputs that are not stored when the time of close() is up are fetched again by the next process', async () => {
  const behave = () => ({ delayMs: 50 })
  const { id, result, tookMs, left, job, provider } = await cutShort({ behave }, () => ({
    files: { ...memoryFileStore(), put: () => never },
  }))
  expect(result).toEqual({ leftJobs: [id], unclosed: [] })
  expect(tookMs).toBeLessThanOrEqual(timeoutMs + marginMs)
  expect(left).toMatchObject({ phase: 'collecting' })
  expect(left?.claim?.until).toBeUndefined()
  expect(job).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
})

test('outputs that are not stored when the time of close() is up are in the spool', async () => {
  const spool = memoryFileStore()
  const { id, result, left, log } = await cutShort({ behave: [{ delayMs: 50 }] }, () => ({
    files: { ...memoryFileStore(), put: () => never },
    spool,
  }))
  expect(result).toEqual({ leftJobs: [id], unclosed: [] })
  expect(await spool.open?.(left?.outputs[0]?.fileKey ?? '')).toBeDefined()
  expect(log.lines.join('\n')).not.toContain('stored later')
})

test('a write that a hanging job store has not taken when close() returns is logged, and the job is left as after a crash', async () => {
  const { id, result, tookMs, left, job, log, provider } = await cutShort(
    { find: true, behave: [{ delayMs: 50 }] },
    () => ({ jobs: { replace: () => never } }),
  )
  expect(result).toEqual({ leftJobs: [id], unclosed: [] })
  expect(tookMs).toBeLessThanOrEqual(timeoutMs + marginMs)
  expect(log.errors.join('\n')).toMatch(new RegExp(`${id}.*task .*running, could not be written`))
  expect(left).toMatchObject({ phase: 'submitting' })
  expect(job).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
})

test('a hanging read of the job store ends with close()', async () => {
  const world = fakeWorld()
  const service = world.serviceOver({ jobs: { get: () => never } })
  const read = service.get('gen_1', 'alice').catch((fault: unknown) => fault)
  await world.clock.advance(10)
  const closed = service.close({ timeoutMs: 100 })
  await world.clock.advance(1000)
  await closed
  expect(await Promise.race([read, Promise.resolve('hangs')])).toMatchObject({ code: 'store_unavailable' })
})

test('close() names the parts that could not be closed, and takes little more than its time when all of them hang', async () => {
  const { clock, provider, serviceOver, jobs } = fakeWorld()
  const hanging = { close: () => never }
  const parts = { put: () => never, ...hanging }
  const scheduler = { wakeAt() {}, start() {}, stop: () => never }
  const signals = { publish() {}, subscribe: () => () => {}, ...hanging }
  for (const limitMs of [0, 1000, timeoutMs]) {
    const service = serviceOver({
      providers: [
        { ...provider, ...hanging },
        { ...fakeProvider({ models: [], name: 'other' }), ...hanging },
      ],
      files: { ...memoryFileStore(), ...parts },
      spool: { ...memoryFileStore(), ...parts },
      backend: { jobs: { ...jobs, due: () => never }, scheduler, signals, durable: true, ...hanging },
    })
    service.start()
    const from = clock.now()
    const closed = service.close({ timeoutMs: limitMs }).then((result) => ({ result, at: clock.now() }))
    await clock.advance(60_000)
    const { result, at } = await closed
    expect(result).toEqual({
      leftJobs: [],
      unclosed: ['scheduler', 'provider fake', 'provider other', 'file store', 'spool', 'signals', 'backend'],
    })
    expect(at - from).toBeLessThanOrEqual(limitMs + marginMs)
  }
})

test('close() reports that nothing was left, also to a second caller', async () => {
  const { service } = fakeWorld()
  const results = await Promise.all([service.close(), service.close()])
  expect(results).toEqual([1, 2].map(() => ({ leftJobs: [], unclosed: [] })))
})
