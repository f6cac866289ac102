import { afterEach, expect, test } from 'vitest'
import { fakeProvider, manualClock } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { createGenerationService } from '../service/create-generation-service.ts'
import type { GenerationServiceOptions } from '../service/generation-service.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const service of open.splice(0)) await service.close()
})

function setUp(options: Partial<GenerationServiceOptions> = {}) {
  const clock = options.clock ?? manualClock()
  const faults: string[] = []
  const log = { warn: () => {}, error: (message: string) => void faults.push(message) }
  const service = createGenerationService({
    providers: [fakeProvider({ clock })],
    clock,
    log,
    maxRunningJobsPerOwner: 2,
    ...options,
  })
  open.push(service)
  const create = async (owner: string, input: object = {}, key?: string) =>
    (
      await service.create({
        owner,
        model: 'fake-image',
        input: { prompt: 'a fox', delay_ms: 4000, ...input },
        ...(key && { idempotency: { key, scope: '/v1/generate' } }),
      })
    ).job
  return { service, create, faults }
}

const tooMany = { code: 'too_many_running_jobs' }

test('one job too many of an owner is refused before anything is stored, and delays nobody else', async () => {
  const clock = manualClock()
  const inserted: string[] = []
  const backend = memoryBackend({ clock })
  const jobs = {
    ...backend.jobs,
    insert: (job: Job) => {
      inserted.push(job.owner)
      return backend.jobs.insert(job)
    },
  }
  const { create } = setUp({ clock, backend: { ...backend, jobs } })
  const outcomes = await Promise.allSettled(['alice', 'alice', 'alice', 'bob'].map((owner) => create(owner)))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[2]).toMatchObject({ reason: tooMany })
  expect(inserted).toEqual(['alice', 'alice', 'bob'])
  await clock.advance(60_000)
  await create('alice')
  await clock.advance(60_000)
})

test('a job that is refused for another reason, or that is there already, takes no place', async () => {
  const clock = manualClock()
  let isAdmitted = false
  const { create } = setUp({
    clock,
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

test('a job that another process has ended counts until its deadline at the longest', async () => {
  const clock = manualClock()
  const backend = memoryBackend({ clock })
  const { create } = setUp({ clock, backend, deadlineMs: 60_000 })
  const ids = [(await create('alice')).id, (await create('alice')).id]
  await expect(create('alice')).rejects.toMatchObject(tooMany)
  for (const id of ids) await backend.jobs.delete(id)
  await clock.advance(60_000)
  await create('alice')
  await clock.advance(60_000)
})

test('a process that starts again counts the jobs that it takes up', async () => {
  const clock = manualClock()
  const backend = { ...memoryBackend({ clock }), durable: true, close: async () => {} }
  const before = setUp({ clock, backend })
  for (let i = 0; i < 2; i++) await before.create('alice', { delay_ms: 60_000 })
  await clock.advance(1000)
  await before.service.close()
  const { service, create } = setUp({ clock, backend })
  service.start()
  await clock.advance(5000)
  await expect(create('alice')).rejects.toMatchObject(tooMany)
  await create('bob')
  await clock.advance(120_000)
})

test('the app is told of the end of each job once, and its faults harm nobody', async () => {
  const clock = manualClock()
  const ended: string[] = []
  const { create, service, faults } = setUp({
    clock,
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
  expect(faults.filter((fault) => fault.includes('onJobEnd'))).toHaveLength(1)
})

test('a wrong number is told when the service is made', () => {
  expect(() => setUp({ maxRunningJobsPerOwner: 0 })).toThrow('maxRunningJobsPerOwner')
  expect(() => setUp({ maxWaitersPerOwner: -1 })).toThrow('maxWaitersPerOwner')
})
