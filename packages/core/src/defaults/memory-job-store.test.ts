import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { memoryJobStore } from './memory-job-store.ts'

const now = Date.UTC(2026, 0, 1)

function processingJob(id: string, changes: Partial<Job> = {}): Job {
  return {
    id,
    owner: 'alice',
    model: 'm',
    outputKind: 'image',
    phase: 'running',
    revision: 1,
    input: {},
    shownInput: {},
    clientToken: id,
    retentionDays: 7,
    createdAt: now,
    expiresAt: now + 604_800_000,
    deadlineAt: now + 86_400_000,
    dueAt: now,
    attempts: 0,
    outputs: [],
    costUsd: 0,
    inferenceMs: 0,
    ...changes,
  }
}

const finishedJob = (id: string, changes: Partial<Job> = {}): Job => {
  const { dueAt: _, ...job } = processingJob(id, { phase: 'completed', ...changes })
  return job
}

/** Inserts a job and finishes it, as the service does. */
async function insertFinished(
  store: ReturnType<typeof memoryJobStore>,
  id: string,
  changes: Partial<Job> = {},
) {
  await store.insert(processingJob(id, changes))
  await store.replace(finishedJob(id, { revision: 2, ...changes }), 1)
}

test('the size of a large input is measured once and not at each step of its job', async () => {
  const store = memoryJobStore()
  const job = processingJob('large', { input: { image: 'x'.repeat(10_000_000) } })
  await store.insert(job)
  const cpuMs = await cpuTimeOf(async () => {
    for (let revision = 1; revision <= 100; revision++) {
      expect(await store.replace({ ...job, revision: revision + 1 }, revision)).toBe('replaced')
    }
  })
  expect(cpuMs).toBeLessThan(1000)
})

describe('a store that is bounded', () => {
  test('drops the finished job that was read least recently', async () => {
    const store = memoryJobStore({ maxJobs: 2 })
    await insertFinished(store, 'read')
    await insertFinished(store, 'unread')
    await store.get('read')
    await insertFinished(store, 'new')
    expect([await store.get('read'), await store.get('unread')]).toMatchObject([{ id: 'read' }, undefined])
  })

  test('counts the bytes of jobs, so that a large input makes it drop finished jobs', async () => {
    const store = memoryJobStore({ maxBytes: 18_000 })
    const large = { input: { image: 'x'.repeat(6000) } }
    for (let i = 0; i < 10; i++) await insertFinished(store, `done-${i}`)
    expect(await store.insert(processingJob('a', large))).toEqual({ outcome: 'inserted' })
    expect(await store.insert(processingJob('b', large))).toEqual({ outcome: 'full' })
    expect(await store.get('done-0')).toBeUndefined()
    expect(await store.get('done-9')).toBeDefined()
    await store.delete('a')
    expect(await store.insert(processingJob('b', large))).toEqual({ outcome: 'inserted' })
  })

  test('keeps room for other owners, however many large jobs one owner has under way', async () => {
    const store = memoryJobStore({ maxBytes: 107_000 })
    const large = { input: { image: 'x'.repeat(2500) } }
    async function fill(owner: string): Promise<number> {
      let count = 0
      while (
        (await store.insert(processingJob(`${owner}-${count}`, { owner, ...large }))).outcome === 'inserted'
      )
        count++
      return count
    }
    const counts = [await fill('alice'), await fill('bob'), await fill('carol')]
    expect(counts).toEqual([8, 4, 2])
    for (let i = 0; i < 8; i++) await store.delete(`alice-${i}`)
    expect(await fill('dave')).toBe(5)
  })

  test.each([
    ['jobs', { maxJobs: 100 }],
    ['bytes', { maxBytes: 100_000 }],
  ])(
    "keeps an owner's few finished jobs, however many another owner finishes, when it is full of %s",
    async (_of, bounds) => {
      const store = memoryJobStore(bounds)
      const ofBob = Array.from({ length: 5 }, (_, i) => `bob-${i}`)
      for (const id of ofBob) await insertFinished(store, id, { owner: 'bob' })
      for (let i = 0; i < 10_000; i++) await insertFinished(store, `alice-${i}`)
      for (const id of ofBob) expect(await store.get(id)).toBeDefined()
      expect(await store.get('alice-9950')).toBeDefined()
      expect(await store.get('alice-9890')).toBeUndefined()
    },
  )

  test('shares jobs and bytes among owners, so that many small finished jobs do not push out a few large ones', async () => {
    const store = memoryJobStore({ maxJobs: 100, maxBytes: 1_000_000 })
    const large = { owner: 'bob', handle: 'x'.repeat(50_000) }
    for (const id of ['bob-0', 'bob-1']) await insertFinished(store, id, large)
    for (let i = 0; i < 1_000; i++) await insertFinished(store, `alice-${i}`)
    for (const id of ['bob-0', 'bob-1']) expect(await store.get(id)).toBeDefined()
  })

  test('drops, among owners with equal shares, the jobs of the owner who read least recently', async () => {
    const store = memoryJobStore({ maxJobs: 3 })
    for (const owner of ['alice', 'bob', 'carol']) await insertFinished(store, `of-${owner}`, { owner })
    await store.get('of-alice')
    await insertFinished(store, 'of-dave', { owner: 'dave' })
    const kept = await Promise.all(['alice', 'bob', 'carol', 'dave'].map((owner) => store.get(`of-${owner}`)))
    expect(kept.map((job) => job?.owner)).toEqual(['alice', undefined, 'carol', 'dave'])
  })
})

test.each([
  ['maxJobs', { maxJobs: 0 }],
  ['maxBytes', { maxBytes: 0.5 }],
])('a wrong %s throws a TypeError when the store is made', (name, options) => {
  expect(() => memoryJobStore(options)).toThrow(name)
})
