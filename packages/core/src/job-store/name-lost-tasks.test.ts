import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'

const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

/** A service whose store can be away, and can go back to an older state. */
function setUp(latencyMs = 0) {
  const world = fakeWorld({ behave: [{ delayMs: 60_000 }], latencyMs })
  const { jobs, log } = world
  const store = { isAway: false, hangs: false }
  const older: Job[] = []
  const replace: JobStore['replace'] = async (job, revision) => {
    if (store.isAway) throw new Error('connection refused')
    if (store.hangs) return new Promise(() => {})
    const outcome = await jobs.replace(job, revision)
    if (job.phase === 'submitting') older.push(job)
    return outcome
  }
  const insert: JobStore['insert'] = async (...write) => {
    if (store.isAway) throw new Error('connection refused')
    return jobs.insert(...write)
  }
  const { service, die } = world.start({ jobs: { replace, insert } })
  const whose = ({ id }: Job) =>
    `Job ${id} (owner alice, model fake-image, provider fake, task {"fakeTask":1})`
  const namesOf = (job: Job) => log.lines.filter((line) => line.startsWith(`Job ${job.id} (`))
  return { ...world, service, die, store, older, namesOf, whose }
}

test('a task whose handle the store can not record is in the log at once, and once, so that it can be found after a kill', async () => {
  const { clock, service, die, store, namesOf, whose } = setUp(500)
  const { job } = await service.create(request)
  await clock.advance(100)
  store.isAway = true
  await clock.advance(500)
  const line = `${whose(job)} is at its provider, and the job store has not recorded that yet.`
  expect(namesOf(job)).toEqual([line])
  await clock.advance(20_000)
  die()
  expect(namesOf(job)).toEqual([line])
})

test('tasks are in the log when their process is killed while the store hangs: the first within half a second of its answer, and the others at once', async () => {
  const { clock, service, die, store, namesOf } = setUp(2000)
  const create = async () => (await service.create(request)).job
  const first = await create()
  await clock.advance(1000)
  const second = await create()
  await clock.advance(900)
  store.hangs = true
  await clock.advance(100)
  expect(namesOf(first)).toEqual([])
  await clock.advance(500)
  expect(namesOf(first)).toHaveLength(1)
  await clock.advance(500)
  die()
  for (const [job, task] of [
    [first, 1],
    [second, 2],
  ] as const)
    expect(namesOf(job)).toEqual([
      `Job ${job.id} (owner alice, model fake-image, provider fake, task {"fakeTask":${task}}) is at its provider, and the job store has not recorded that yet.`,
    ])
})

test('a task is in the log before the write of its answer begins when the store has just failed', async () => {
  const { clock, service, store, namesOf } = setUp(1000)
  const { job } = await service.create(request)
  await clock.advance(500)
  store.isAway = true
  await expect(service.create(request)).rejects.toMatchObject({ code: 'store_unavailable' })
  store.isAway = false
  store.hangs = true
  await clock.advance(500)
  expect(namesOf(job)).toHaveLength(1)
})

test('jobs whose tasks the store knows are not named while the store is away', async () => {
  const { clock, service, store, namesOf } = setUp()
  const { job } = await service.create(request)
  await clock.advance(5000)
  store.isAway = true
  await clock.advance(20_000)
  store.isAway = false
  await clock.advance(60_000)
  expect(await service.get(job.id, 'alice')).toMatchObject({ phase: 'completed' })
  expect(namesOf(job)).toEqual([])
  await service.close()
})

test.each<[string, boolean]>([
  ['has the job as it was before its submit was answered', true],
  ['does not have the job', false],
])('a task is in the log if the store %s, after a fail-over that lost commits', async (_what, isThere) => {
  const { clock, jobs, service, older, log, namesOf, whose } = setUp()
  const { job } = await service.create(request)
  await clock.advance(100)
  expect(await jobs.get(job.id)).toMatchObject({ phase: 'running' })
  await jobs.delete(job.id)
  if (isThere) await jobs.insert(older[0]!)
  await clock.advance(30_000)
  const line = `${whose(job)} ${isThere ? 'is older in the job store than this process has written it' : 'is no longer in the job store, and was not finished by this process'}, as after a fail-over that loses commits. Look for the task at the vendor.`
  expect(log.errors).toContain(line)
  expect(namesOf(job).filter((each) => each === line)).toHaveLength(1)
  await service.close()
})

test('a task is in the log if its job is gone from the store when the submit is answered', async () => {
  const { clock, jobs, service, namesOf } = setUp(500)
  const { job } = await service.create(request)
  await clock.advance(100)
  await jobs.delete(job.id)
  await clock.advance(1000)
  expect(namesOf(job)).toEqual([expect.stringContaining('is no longer in the job store')])
  await service.close()
})
