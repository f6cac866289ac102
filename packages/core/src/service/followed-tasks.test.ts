import { expect, test } from 'vitest'
import { type FakeProviderOptions, fakeWorld } from '@genmount/testing'
import type { JobNews } from '../contracts/provider-report.ts'
import type { Provider, RunningTask } from '../contracts/provider.ts'
import type { GenerationService } from './generation-service.ts'

const slow: FakeProviderOptions = { behave: [{ delayMs: 60_000 }] }

/** A provider's `follow`, and what it was called for. */
function following() {
  const tasks: RunningTask[] = []
  const tells: ((news: JobNews) => void)[] = []
  let ends = 0
  const follow: Provider['follow'] = (task, tell) => {
    tasks.push(task)
    tells.push(tell)
    return () => void ends++
  }
  return { follow, tasks, tells, ends: () => ends }
}

async function watching(service: GenerationService, id: string) {
  const heard: JobNews[] = []
  const watcher = { onChange() {}, onNews: (news: JobNews) => void heard.push(news), onEnd() {} }
  return { heard, end: await service.watch(id, 'alice', watcher) }
}

test('a task is followed while anybody watches its job, once for all watchers', async () => {
  const { follow, tasks, ends } = following()
  const { create, service, clock } = fakeWorld(slow, { provider: { follow } })
  const { id } = await create()
  await clock.advance(5000)
  expect(tasks).toEqual([])
  const [one, other] = [await watching(service, id), await watching(service, id)]
  await clock.advance(5000)
  expect(tasks).toMatchObject([{ jobId: id, input: { prompt: 'a fox' }, handle: { fakeTask: 1 } }])
  one.end()
  one.end()
  expect(ends()).toBe(0)
  other.end()
  expect(ends()).toBe(1)
  await watching(service, id)
  await clock.advance(0)
  expect([tasks.length, ends()]).toEqual([2, 1])
  await clock.advance(120_000)
  expect([tasks.length, ends()]).toEqual([2, 2])
})

test('a job that is watched before its task runs is followed from its start', async () => {
  const { follow, tasks } = following()
  const { create, service, clock } = fakeWorld(slow, { provider: { follow } })
  const { id } = await create()
  await watching(service, id)
  await clock.advance(100)
  expect(tasks).toHaveLength(1)
})

test('news of a followed task reach watchers at once, without a poll, at most four times a second', async () => {
  const { follow, tells } = following()
  const { create, service, clock, provider } = fakeWorld(slow, { provider: { follow } })
  const { id } = await create()
  const { heard } = await watching(service, id)
  await clock.advance(1000)
  const polls = provider.polls.length
  const preview = { bytes: new Uint8Array([1]), contentType: 'image/png' }
  tells[0]!({ progress: 0.25, preview })
  expect(heard).toEqual([{ progress: 0.25, preview }])
  expect(provider.polls.length).toBe(polls)
  for (let time = 0; time < 100; time++) {
    tells[0]!({ progress: time / 100 })
    await clock.advance(10)
  }
  expect(heard.length).toBeLessThanOrEqual(6)
})

test('news of a followed task cause no write, and late or repeated news reach nobody', async () => {
  const { follow, tells } = following()
  let writes = 0
  const { create, clock, serviceOver, jobs } = fakeWorld(slow, { provider: { follow } })
  const replace: typeof jobs.replace = (job, revision) => {
    writes++
    return jobs.replace(job, revision)
  }
  const service = serviceOver({ jobs: { replace } })
  const { id } = await create()
  await clock.advance(2000)
  const { heard, end } = await watching(service, id)
  await clock.advance(100)
  const before = writes
  tells[0]!({ progress: 0.5 })
  for (const odd of [undefined, null, 'half', { progress: 'half' }, { preview: 5 }]) tells[0]!(odd as JobNews)
  end()
  await clock.advance(300)
  tells[0]!({ progress: 0.75 })
  expect(heard).toEqual([{ progress: 0.5 }])
  expect(writes).toBe(before)
})

test('closing the service stops following tasks', async () => {
  const { follow, tasks, ends } = following()
  const { create, service, clock } = fakeWorld(slow, { provider: { follow } })
  const { id } = await create()
  await watching(service, id)
  await clock.advance(100)
  await service.close()
  expect([tasks.length, ends()]).toEqual([1, 1])
})

test.each<[string, NonNullable<Provider['follow']>]>([
  [
    'throws',
    () => {
      throw new Error('no socket')
    },
  ],
  ['returns nothing', (() => undefined) as never],
  [
    'throws at the end',
    () => () => {
      throw new Error('no end')
    },
  ],
])('a provider whose follow %s does not change the job', async (_what, follow) => {
  const { create, service, clock, jobAfter } = fakeWorld(slow, { provider: { follow } })
  const { id } = await create()
  const { end } = await watching(service, id)
  await clock.advance(100)
  end()
  await watching(service, id)
  expect(await jobAfter(120_000, id)).toMatchObject({ phase: 'completed' })
})
