import { expect, onTestFinished, test } from 'vitest'
import { createGenerationService, type Job, type Provider } from '@genmount/core'
import { fakeProvider, type FakeBehaviour, manualClock, quietLog, survivingStore } from '@genmount/testing'

const outputs = [{ url: 'https://cdn.test/1.png' }]
const fox = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

/** Processes over one store, which know of one another which of them have ended. */
function processesOver(behave: FakeBehaviour, parts: Partial<Provider> = {}) {
  const clock = manualClock()
  const provider = fakeProvider({ clock, behave: [behave], dedupesSubmits: true })
  const store = survivingStore(clock)
  const ended = new Set<string>()
  const polledAt: number[] = []
  const from = clock.now()

  function start(id: string, own: Partial<Provider> = {}) {
    const calls = { reads: 0, writes: 0 }
    const { jobs } = store
    const backend = store.connect({
      get: (...args) => (calls.reads++, jobs.get(...args)),
      insert: (...args) => (calls.writes++, jobs.insert(...args)),
      replace: (...args) => (calls.writes++, jobs.replace(...args)),
    })
    const whole: Provider = { ...provider, ...parts, ...own }
    const counted: Provider = {
      ...whole,
      poll: (...args) => (polledAt.push(clock.now() - from), whole.poll(...args)),
    }
    const service = createGenerationService({
      providers: [counted],
      clock,
      backend: {
        ...backend,
        processes: { id, hasEnded: async (other) => ended.has(other), leftBehind: async () => [] },
      },
      log: quietLog(),
    })
    service.start()
    onTestFinished(async () => {
      const closed = service.close()
      await clock.advance(120_000)
      await closed
    })
    const die = () => {
      ended.add(id)
      backend.kill()
    }
    return { service, calls, die }
  }
  const stored = async (id: string) => (await store.jobs.get(id)) as Job
  return { clock, provider, polledAt, start, stored }
}

test('a job with one poll costs its process three writes and no read', async () => {
  const { clock, start, stored } = processesOver({ delayMs: 2000, pollAfterMs: 3000, outputs })
  const { service, calls } = start('one')
  // The first sweep takes up every job that is due.
  await clock.advance(1000)
  const { job } = await service.create(fox)
  await clock.advance(10_000)
  expect(await stored(job.id)).toMatchObject({ phase: 'completed' })
  expect(calls).toEqual({ writes: 3, reads: 0 })
})

test('a job whose provider does not say when to poll can be polled earlier by each process that a client asks', async () => {
  const { clock, polledAt, start, stored } = processesOver({ delayMs: 60_000, outputs })
  const [one, two] = [start('one'), start('two')]
  const { job } = await one.service.create(fox)
  const mayBeAsked = async () => {
    const { earliestAt = 0, dueAt = 0 } = await stored(job.id)
    return earliestAt < clock.now() && clock.now() < dueAt
  }
  while (!(await mayBeAsked())) await clock.advance(100)
  const before = polledAt.length
  await two.service.get(job.id, 'alice')
  expect(polledAt).toHaveLength(before + 1)
})

test('while several processes have a job, only one of them polls at a time', async () => {
  const { clock, polledAt, start, stored } = processesOver({ delayMs: 20_000, pollAfterMs: 3000, outputs })
  const [one, two] = [start('one'), start('two')]
  const { job } = await one.service.create(fox)
  for (let ms = 0; ms < 30_000; ms += 100) {
    await clock.advance(100)
    await two.service.get(job.id, 'alice')
  }
  expect(await stored(job.id)).toMatchObject({ phase: 'completed' })
  const pauses = polledAt.slice(1).map((at, index) => at - polledAt[index]!)
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(3000)
})

test('a client that reads a job during its polls costs no poll more, and delays none', async () => {
  const { clock, provider, polledAt, start } = processesOver({ delayMs: 20_000, pollAfterMs: 3000, outputs })
  const slow: Provider['poll'] = async (...args) => {
    await new Promise<void>((resolve) => void clock.after(100, resolve))
    return provider.poll(...args)
  }
  const { service } = start('one', { poll: slow })
  await clock.advance(1000)
  const { job } = await service.create(fox)
  for (let ms = 0; ms < 15_000; ms += 50) {
    const reading = service.get(job.id, 'alice')
    await clock.advance(50)
    await clock.advance(50)
    await reading
  }
  expect(polledAt.length).toBeGreaterThan(3)
  for (const [index, at] of polledAt.slice(1).entries()) expect(at - polledAt[index]!).toBe(3100)
})

test('a poll that takes a moment is claimed by a write of its own, and one without news then writes nothing', async () => {
  const { clock, provider, polledAt, start, stored } = processesOver({
    delayMs: 20_000,
    pollAfterMs: 3000,
    outputs,
  })
  const slow: Provider['poll'] = async (...args) => {
    await new Promise<void>((resolve) => void clock.after(400, resolve))
    return provider.poll(...args)
  }
  const { service, calls } = start('one', { poll: slow })
  await clock.advance(1000)
  const { job } = await service.create(fox)
  await clock.advance(30_000)
  expect(await stored(job.id)).toMatchObject({ phase: 'completed' })
  expect(polledAt.length).toBeGreaterThan(4)
  expect(calls).toEqual({ writes: 3 + polledAt.length, reads: 0 })
})

test('a poll that takes long is left to its process, however long the others have been running', async () => {
  const { clock, polledAt, start, stored } = processesOver({ delayMs: 2000, pollAfterMs: 3000, outputs })
  const slow: Provider['poll'] = () =>
    new Promise((resolve) => void clock.after(20_000, () => resolve({ state: 'succeeded', outputs })))
  const one = start('one', { poll: slow })
  start('two')
  const { job } = await one.service.create(fox)
  await clock.advance(22_000)
  expect(polledAt).toEqual([3000])
  await clock.advance(3000)
  expect(await stored(job.id)).toMatchObject({ phase: 'completed' })
})

test('a job whose process has died before its poll is polled by another process a second after its time at the latest', async () => {
  const { clock, polledAt, start, stored } = processesOver({ delayMs: 2000, pollAfterMs: 3000, outputs })
  const one = start('one')
  start('two')
  const { job } = await one.service.create(fox)
  await clock.advance(1000)
  one.die()
  await clock.advance(3000)
  expect(await stored(job.id)).toMatchObject({ phase: 'completed' })
  expect(polledAt).toHaveLength(1)
})

test('a process that dies in a poll that was claimed ahead counts as dead in a step of the job', async () => {
  const { clock, start, stored } = processesOver({ delayMs: 2000, pollAfterMs: 3000, outputs })
  const never: Provider['poll'] = () => new Promise(() => {})
  const one = start('one', { poll: never })
  const { job } = await one.service.create(fox)
  await clock.advance(3100)
  one.die()
  start('two', { poll: never })
  await clock.advance(2000)
  expect(await stored(job.id)).toMatchObject({ claim: { deaths: 1 } })
})

test('a job that another process has written since is left to that process', async () => {
  const { clock, provider, start, stored } = processesOver({ delayMs: 60_000, pollAfterMs: 3000, outputs })
  const [one, two] = [start('one'), start('two')]
  const { job } = await one.service.create(fox)
  await clock.advance(1000)
  const canceling = two.service.cancel(job.id, 'alice')
  await clock.advance(20_000)
  await canceling
  expect(await stored(job.id)).toMatchObject({ phase: 'failed', error: { code: 'canceled' } })
  expect(provider.ledger).toHaveLength(1)
})
