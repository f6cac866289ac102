import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import { memoryBackend } from '../defaults/memory-backend.ts'
import type { JobNews } from '../contracts/provider-report.ts'
import type { Job } from '../contracts/job.ts'
import type { GenerationService } from '../service/generation-service.ts'

/** Watches the job and records the calls of the watcher. */
async function watching(service: GenerationService, id: string, owner = 'alice') {
  const seen: Job[] = []
  const heard: JobNews[] = []
  let ends = 0
  const end = await service.watch(id, owner, {
    onChange: (job) => void seen.push(job),
    onNews: (news) => void heard.push(news),
    onEnd: () => void ends++,
  })
  return { end, seen, heard, ends: () => ends, phases: () => seen.map(({ phase }) => phase) }
}

const slow = { delayMs: 60_000 }

test('a watcher of a job gets its state, each change, and its end', async () => {
  const { create, service, clock } = fakeWorld({ behave: [slow] })
  const { id } = await create()
  const timers = clock.pendingTimers
  const { phases, seen, ends } = await watching(service, id)
  await clock.advance(120_000)
  expect(phases()[0]).toBe('submitting')
  expect(phases().at(-1)).toBe('completed')
  expect(seen.map(({ revision }) => revision)).toEqual(
    seen.map(({ revision }) => revision).toSorted((a, b) => a - b),
  )
  expect(ends()).toBe(1)
  expect(clock.pendingTimers).toBeLessThanOrEqual(timers)
})

test('a watcher of a finished job gets it at once and takes no place', async () => {
  const { create, service, clock } = fakeWorld({}, { maxWaiters: 1 })
  const { id } = await create()
  await clock.advance(0)
  for (let time = 0; time < 3; time++) {
    const { phases, ends } = await watching(service, id)
    expect([phases(), ends()]).toEqual([['completed'], 1])
  }
})

test('progress that the provider reports reaches all watchers and is not stored', async () => {
  const news = { progress: 0.5, queuePosition: 2 }
  const { create, service, clock, jobs } = fakeWorld({ behave: [{ ...slow, news }] })
  const { id } = await create()
  const [one, other] = [await watching(service, id), await watching(service, id)]
  await clock.advance(30_000)
  for (const { heard } of [one, other])
    expect(new Set(heard.map((each) => JSON.stringify(each)))).toEqual(new Set([JSON.stringify(news)]))
  expect(JSON.stringify(await jobs.get(id))).not.toMatch(/progress|queuePosition/)
})

test('a watched job is polled as often as for one client that reads every 3 seconds, however many watch', async () => {
  const polls = async (watchers: number, readers: number) => {
    const { create, service, clock, provider } = fakeWorld({ behave: [{ delayMs: 600_000 }] })
    const { id } = await create()
    for (let each = 0; each < watchers; each++) {
      await clock.advance(17)
      await watching(service, id)
    }
    for (let second = 0; second < 120; second += 3) {
      await clock.advance(3000)
      if (readers) await service.get(id, 'alice')
    }
    return provider.polls.length
  }
  const ofReader = await polls(0, 1)
  const ofOne = await polls(1, 0)
  expect(ofOne).toBeLessThanOrEqual(ofReader)
  expect(ofOne).toBeGreaterThan(30)
  expect(await polls(100, 0)).toBeLessThanOrEqual(ofOne + 1)
})

test('progress causes no write to the store', async () => {
  let tells = 0
  const poll = async () => ({ state: 'running' as const, handle: { fakeTask: 1 }, progress: ++tells / 100 })
  let writes = 0
  const { create, clock, serviceOver, jobs } = fakeWorld({ behave: [slow] }, { provider: { poll } })
  const service = serviceOver({
    jobs: {
      replace(job, revision) {
        writes++
        return jobs.replace(job, revision)
      },
    },
  })
  const { id } = await create()
  const { heard } = await watching(service, id)
  await clock.advance(60_000)
  expect(heard.length).toBeGreaterThan(10)
  // A poll writes a claim and its outcome at most. Its news cause no further writes.
  expect(writes).toBeLessThanOrEqual(2 * tells)
})

test('a foreign and an unknown job can not be watched', async () => {
  const { create, service, clock } = fakeWorld({ behave: [slow] })
  const { id } = await create()
  await clock.advance(100)
  const timers = clock.pendingTimers
  await expect(watching(service, id, 'bob')).rejects.toMatchObject({ code: 'job_not_found' })
  await expect(watching(service, 'none')).rejects.toMatchObject({ code: 'job_not_found' })
  expect(clock.pendingTimers).toBe(timers)
})

test('a watcher takes the place of a waiter: without a free place it is refused, and its end frees the place', async () => {
  const { create, service } = fakeWorld({ behave: [slow] }, { maxWaiters: 1, maxWaitersPerOwner: 1 })
  const { id } = await create()
  const first = await watching(service, id)
  expect((await service.health()).waiters).toBe(1)
  await expect(watching(service, id)).rejects.toMatchObject({ code: 'capacity_exceeded' })
  first.end()
  first.end()
  expect(first.ends()).toBe(1)
  expect((await service.health()).waiters).toBe(0)
  await watching(service, id)
})

test('when another owner needs a place, a watcher of the owner with more than its share ends', async () => {
  const { create, service } = fakeWorld({ behave: [slow] }, { maxWaiters: 2, maxWaitersPerOwner: 1 })
  const own = await create()
  const other = await create({}, { owner: 'bob' })
  const [first, second] = [await watching(service, own.id), await watching(service, own.id)]
  await watching(service, other.id, 'bob')
  expect([first.ends(), second.ends()]).toEqual([1, 0])
})

test('closing the service ends all watchers, and later ones are refused', async () => {
  const { create, service, clock } = fakeWorld({ behave: [slow] })
  const { id } = await create()
  const { ends } = await watching(service, id)
  await service.close()
  expect([ends(), clock.pendingTimers]).toEqual([1, 0])
  await expect(watching(service, id)).rejects.toMatchObject({ code: 'shutting_down' })
})

test('a watcher ends when its job is gone from the store', async () => {
  const { create, service, clock, jobs } = fakeWorld({ behave: [{ delayMs: 600_000 }] })
  const { id } = await create()
  const { ends } = await watching(service, id)
  await jobs.delete(id)
  await clock.advance(60_000)
  expect(ends()).toBe(1)
})

test('a watcher gets a change whose signal was lost within 3 seconds', async () => {
  const { create, service, clock, serviceOver, jobs } = fakeWorld({
    behave: [{ delayMs: 600_000 }],
    cancel: true,
  })
  const { id } = await create()
  const signals = { publish() {}, subscribe: () => () => {} }
  const deaf = serviceOver({ backend: { ...memoryBackend({ clock }), jobs, signals } })
  const { phases } = await watching(deaf, id)
  await service.cancel(id, 'alice')
  await clock.advance(3000)
  expect(phases().at(-1)).toBe('failed')
})
