import { expect, onTestFinished, test } from 'vitest'
import { fakeWorld, type ProcessChanges } from '@genmount/testing'
import type { JobStore } from '../contracts/storage/job-store.ts'

function setUp(options: ProcessChanges = {}, world = fakeWorld()) {
  const { service } = world.start({ maxRunningJobsPerOwner: 2, ...options })
  onTestFinished(async () => void (await service.close()))
  const create = async (owner: string, input: object = {}, key?: string) => {
    const whole = { owner, model: 'fake-image', input: { prompt: 'a fox', delay_ms: 4000, ...input } }
    const idempotency = key && { idempotency: { key, scope: '/v1/generate' } }
    return (await service.create({ ...whole, ...idempotency })).job
  }
  return { ...world, service, create }
}

const tooMany = { code: 'too_many_running_jobs' }

test('a create above maxRunningJobsPerOwner is refused before anything is stored, and delays no other owner', async () => {
  const inserted: string[] = []
  const world = fakeWorld()
  const insert: JobStore['insert'] = (job) => (inserted.push(job.owner), world.jobs.insert(job))
  const { clock, create } = setUp({ jobs: { insert } }, world)
  const outcomes = await Promise.allSettled(['alice', 'alice', 'alice', 'bob'].map((owner) => create(owner)))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[2]).toMatchObject({ reason: tooMany })
  expect(inserted).toEqual(['alice', 'alice', 'bob'])
  await clock.advance(60_000)
  await create('alice')
  await clock.advance(60_000)
})

test('a create that is refused for another reason or is a replay does not count as a running job', async () => {
  let isAdmitted = false
  const { clock, create } = setUp({
    admit: () => {
      if (!isAdmitted) throw new Error('Not you.')
    },
  })
  for (let i = 0; i < 3; i++) await expect(create('alice')).rejects.toThrow('Not you.')
  isAdmitted = true
  const first = await create('alice', {}, 'k')
  for (let i = 0; i < 3; i++) expect((await create('alice', {}, 'k')).id).toBe(first.id)
  await create('alice')
  expect((await create('alice', {}, 'k')).id).toBe(first.id)
  await expect(create('alice')).rejects.toMatchObject(tooMany)
  await clock.advance(60_000)
})

test('a job that another process has ended counts as running until its deadline at the longest', async () => {
  const { clock, jobs, create } = setUp({ deadlineMs: 60_000 })
  const ids = [(await create('alice')).id, (await create('alice')).id]
  await expect(create('alice')).rejects.toMatchObject(tooMany)
  for (const id of ids) await jobs.delete(id)
  await clock.advance(60_000)
  await create('alice')
  await clock.advance(60_000)
})

test('a process that starts again counts the running jobs that it takes up', async () => {
  const world = fakeWorld()
  const { clock } = world
  const before = setUp({}, world)
  for (let i = 0; i < 2; i++) await before.create('alice', { delay_ms: 60_000 })
  await clock.advance(1000)
  await before.service.close()
  const { create } = setUp({}, world)
  await clock.advance(5000)
  await expect(create('alice')).rejects.toMatchObject(tooMany)
  await create('bob')
  await clock.advance(120_000)
})

test('onJobEnd is called once for each job, and its errors change nothing', async () => {
  const ended: string[] = []
  const { clock, create, service, log } = setUp({
    onJobEnd: async ({ owner, phase }) => {
      ended.push(`${owner} ${phase}`)
      if (owner === 'bob') throw new Error('The counter is gone.')
    },
  })
  const { id } = await create('alice')
  await create('bob', { fail: 'content_policy' })
  await clock.advance(60_000)
  for (let i = 0; i < 3; i++) await service.get(id, 'alice')
  expect(ended.toSorted()).toEqual(['alice completed', 'bob failed'])
  expect(log.errors.filter((fault) => fault.includes('onJobEnd'))).toHaveLength(1)
})

test('a wrong maxRunningJobsPerOwner throws a TypeError when the service is made', () => {
  expect(() => setUp({ maxRunningJobsPerOwner: 0 })).toThrow('maxRunningJobsPerOwner')
  expect(() => setUp({ maxWaitersPerOwner: -1 })).toThrow('maxWaitersPerOwner')
})
