import { expect, test, vi } from 'vitest'
import { type Limits, limits } from '@genmount/core/limits'
import { createGenerationService, memoryBackend, memoryFileStore } from '@genmount/core'
import {
  type FakeBehaviour,
  fakeFile,
  fakeProvider,
  fakeWorld,
  type ProcessChanges,
  quietLog,
} from '@genmount/testing'
import type { GenerationService } from './generation-service.ts'

const usedUp = { code: 'insufficient_quota' }
const { bytes: picture } = fakeFile('image')
const size = picture.byteLength

function setUp(most: Limits, behave: FakeBehaviour = {}, changes: ProcessChanges = {}) {
  const files = memoryFileStore()
  const world = fakeWorld({ behave: [behave] }, { plugins: [limits(most)], files, ...changes })
  const createAt = async (service: GenerationService, owner = 'alice') =>
    (await service.create({ owner, model: 'fake-image', input: { prompt: 'a fox' } })).job.id
  return {
    ...world,
    createAt,
    create: (owner?: string) => createAt(world.service, owner),
    stored: (owner = 'alice') => world.jobs.storedBytes!(owner, world.clock.now()),
  }
}

test('an owner whose outputs have reached storedBytes gets insufficient_quota, and other owners do not', async () => {
  const { create, clock, provider, stored } = setUp({ storedBytes: 2 * size })
  for (let i = 0; i < 2; i++) {
    await create()
    await clock.advance(100)
  }
  expect(await stored()).toBe(2 * size)
  await expect(create()).rejects.toMatchObject({
    ...usedUp,
    message: `Your files take ${2 * size} bytes; ${2 * size} are allowed. Delete jobs or uploads, or wait until they expire.`,
  })
  expect(provider.ledger).toHaveLength(2)
  await create('bob')
})

test('an owner one byte below storedBytes may make one more job', async () => {
  const { create, clock } = setUp({ storedBytes: size + 1 })
  for (let i = 0; i < 2; i++) {
    await create()
    await clock.advance(100)
  }
  await expect(create()).rejects.toMatchObject(usedUp)
})

test('storedBytes is passed at most by the jobs that were running when it was reached', async () => {
  const { create, clock, stored } = setUp({ storedBytes: size }, { delayMs: 5000 })
  for (let i = 0; i < 3; i++) await create()
  await clock.advance(60_000)
  expect(await stored()).toBe(3 * size)
  await expect(create()).rejects.toMatchObject(usedUp)
})

test('copied outputs count as stored bytes, and outputs that stay links do not', async () => {
  const outputs = [{ url: 'https://cdn.test/1' }, { url: 'https://cdn.test/2' }]
  const copying = { ...memoryFileStore(), fetch: async () => ({ body: new Blob([picture]).stream() }) }
  const { create, clock, stored } = setUp({ storedBytes: 2 * size }, { outputs }, { files: copying })
  await create()
  await clock.advance(1000)
  expect(await stored()).toBe(2 * size)
  await expect(create()).rejects.toMatchObject(usedUp)
  const redirecting = setUp({ storedBytes: 1 }, { outputs })
  await redirecting.create()
  await redirecting.clock.advance(1000)
  expect(await redirecting.stored()).toBe(0)
  await redirecting.create()
})

test('a failed job does not count as stored bytes', async () => {
  const { create, clock } = setUp({ storedBytes: 1 }, { failure: { code: 'provider_failed' } })
  await create()
  await clock.advance(1000)
  await create()
})

test('the bytes of a deleted job are free at once in this process, and within 10 seconds in another', async () => {
  const { create, createAt, clock, service, serviceOver } = setUp({ storedBytes: size })
  const id = await create()
  await clock.advance(100)
  const other = serviceOver()
  await expect(create()).rejects.toMatchObject(usedUp)
  await expect(createAt(other)).rejects.toMatchObject(usedUp)
  await service.delete(id, 'alice')
  await create()
  await clock.advance(100)
  await expect(create()).rejects.toMatchObject(usedUp)
  const last = (await service.list({ owner: 'alice' })).jobs[0]!.id
  await service.delete(last, 'alice')
  await clock.advance(10_000)
  await createAt(other)
})

test('the bytes of expired jobs are free within 10 seconds', async () => {
  const { create, clock } = setUp({ storedBytes: size }, {}, { retentionDays: 1 })
  await create()
  await clock.advance(24 * 3_600_000 - 5000)
  await expect(create()).rejects.toMatchObject(usedUp)
  await clock.advance(10_000)
  await create()
})

test('bytes that this process stores count at once, those of others after at most 10 seconds', async () => {
  const { serviceOver, createAt, clock } = setUp({ storedBytes: 2 * size })
  const [a, b] = [serviceOver(), serviceOver()]
  await createAt(b)
  await clock.advance(100)
  await createAt(a)
  await clock.advance(100)
  await expect(createAt(a)).rejects.toMatchObject(usedUp)
  await clock.advance(10_000)
  await expect(createAt(b)).rejects.toMatchObject(usedUp)
})

test('many creates add up the bytes of an owner once in 10 seconds, also while jobs end', async () => {
  const { serviceOver, createAt, clock, jobs } = setUp({ storedBytes: 1000 * size })
  const storedBytes = vi.fn(jobs.storedBytes!)
  const service = serviceOver({ jobs: { storedBytes } })
  await Promise.all(Array.from({ length: 50 }, () => createAt(service)))
  for (let i = 0; i < 9; i++) {
    await clock.advance(1000)
    await createAt(service)
  }
  expect(storedBytes).toHaveBeenCalledTimes(1)
})

test('many refused creates add up the bytes no more often', async () => {
  const { serviceOver, createAt, clock, jobs } = setUp({ storedBytes: size })
  const storedBytes = vi.fn(jobs.storedBytes!)
  const service = serviceOver({ jobs: { storedBytes } })
  await createAt(service)
  await clock.advance(100)
  for (let i = 0; i < 50; i++) await expect(createAt(service)).rejects.toMatchObject(usedUp)
  expect(storedBytes).toHaveBeenCalledTimes(2)
})

test('without storedBytes no bytes are added up', async () => {
  const { serviceOver, createAt, jobs } = setUp({ runningJobs: 5 })
  const storedBytes = vi.fn(jobs.storedBytes!)
  await createAt(serviceOver({ jobs: { storedBytes } }))
  expect(storedBytes).not.toHaveBeenCalled()
})

test('while the bytes can’t be added up, creates are refused within 2 seconds', async () => {
  const { serviceOver, createAt, provider, clock } = setUp({ storedBytes: 1 })
  for (const storedBytes of [() => Promise.reject(new Error('away')), () => new Promise<never>(() => {})]) {
    const refused = expect(createAt(serviceOver({ jobs: { storedBytes } }))).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    await clock.advance(2000)
    await refused
  }
  expect(provider.ledger).toEqual([])
})

test('a function sets storedBytes for each owner', async () => {
  const { create, clock } = setUp((owner) => (owner === 'alice' ? { storedBytes: size } : {}))
  for (const owner of ['alice', 'bob']) {
    await create(owner)
    await clock.advance(100)
  }
  await create('bob')
  await expect(create()).rejects.toMatchObject(usedUp)
})

test('storedBytes over a store that can’t add bytes up throws a TypeError', () => {
  const backend = memoryBackend()
  const { storedBytes: _storedBytes, ...jobs } = backend.jobs
  const options = { providers: [fakeProvider()], backend: { ...backend, jobs }, log: quietLog() }
  expect(() => createGenerationService({ ...options, plugins: [limits({ storedBytes: 1 })] })).toThrow(
    'limits: storedBytes needs a job store with storedBytes()',
  )
})
