import assert from 'node:assert/strict'
import type { JobOutput, JobPhase, UploadNote } from '@genmount/core'
import { exampleJob } from '../../jobs/example-job.ts'
import { createdAt, finished, inserted, replaced, type JobStoreCases } from './stored-job.ts'

const unfinishedPhases: readonly JobPhase[] = ['accepted', 'submitting', 'running', 'collecting']
const url = 'https://cdn.test/1.png'
const stored = (...sizes: number[]): JobOutput[] =>
  sizes.map((bytes, index) => ({ fileKey: `file-${index}`, contentType: 'image/png', bytes }))

/**
 * The cases for a store with the methods that the service needs to limit owners. A store without these methods passes
 * them.
 */
export const limitCases: JobStoreCases = {
  'the unfinished jobs of an owner are those in every phase before the end, and no other owner’s': async ({
    store,
  }) => {
    if (!store.unfinished) return
    const unfinished = async (owner = 'alice') => [...(await store.unfinished!(owner, 100))].toSorted()
    for (const phase of unfinishedPhases) await inserted(store, { id: `${phase} at once`, phase })
    for (const phase of unfinishedPhases) {
      const job = await inserted(store, { id: phase })
      await replaced(store, job, { phase, dueAt: createdAt + 5, claim: { until: createdAt + 30_000 } })
    }
    await finished(store, { id: 'done' })
    await finished(store, { id: 'to be copied', dueAt: createdAt, earliestAt: createdAt })
    await finished(store, { id: 'lost', phase: 'failed' })
    for (const owner of ['Alice', 'alice ', 'mallory']) await inserted(store, { id: `of ${owner}`, owner })
    const expected = unfinishedPhases.flatMap((phase) => [phase, `${phase} at once`])
    assert.deepEqual(await unfinished(), expected.toSorted())
    assert.deepEqual(await unfinished('mallory'), ['of mallory'])
    assert.deepEqual(await unfinished('bob'), [])
  },

  'a job is unfinished from its insert until it ends, and again if it goes on': async ({ store }) => {
    if (!store.unfinished) return
    const unfinished = () => store.unfinished!('alice', 100)
    const failed = await finished(store, { phase: 'failed' })
    assert.deepEqual(await unfinished(), [])
    const { completedAt: _ended, error: _gone, ...open } = failed
    const running = await replaced(store, open, { phase: 'running', dueAt: createdAt + 5 })
    assert.deepEqual(await unfinished(), ['job-1'])
    await store.delete(running.id)
    assert.deepEqual(await unfinished(), [])
  },

  'no more unfinished jobs are named than were asked for': async ({ store }) => {
    if (!store.unfinished) return
    for (let count = 0; count < 5; count++) await inserted(store, { id: `job-${count}` })
    assert.equal((await store.unfinished('alice', 3)).length, 3)
    assert.equal((await store.unfinished('alice', 5)).length, 5)
  },

  'an insert of an owner who has as many unfinished jobs as allowed stores nothing': async ({ store }) => {
    if (!store.unfinished) return
    const overLimit = { outcome: 'over_limit' }
    const idempotency = { key: 'k', fingerprint: 'f' }
    await inserted(store, { id: 'running' })
    await finished(store, { id: 'done' })
    await inserted(store, { id: 'of mallory', owner: 'mallory' })
    assert.deepEqual(await store.insert(exampleJob({ id: 'second' }), 1), overLimit)
    assert.deepEqual(await store.insert(exampleJob({ id: 'second', idempotency }), 1), overLimit)
    assert.equal(await store.get('second'), undefined)
    assert.equal(await store.findByIdempotencyKey('k', createdAt), undefined)
    const second = exampleJob({ id: 'second', idempotency })
    assert.deepEqual(await store.insert(second, 2), { outcome: 'inserted' })
    assert.deepEqual(await store.get('second'), second)
    // A repeated request gets its job, however many jobs are under way.
    const repeated = exampleJob({ id: 'third', idempotency })
    assert.deepEqual(await store.insert(repeated, 2), { outcome: 'duplicate', job: second })
    assert.deepEqual(await store.insert(exampleJob({ id: 'free' })), { outcome: 'inserted' })
  },

  'inserts at the same time never pass the limit of their owner together': async ({ store }) => {
    if (!store.unfinished) return
    const insert = (_: unknown, index: number) => store.insert(exampleJob({ id: `job-${index}` }), 4)
    const outcomes = await Promise.all(Array.from({ length: 12 }, insert))
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'inserted').length, 4)
    assert.equal((await store.unfinished('alice', 100)).length, 4)
  },

  'stored bytes are those of all outputs of an owner, and no other owner’s': async ({ store }) => {
    if (!store.storedBytes) return
    await finished(store, { id: 'a', outputs: stored(3_000_000_000, 23) })
    await finished(store, { id: 'b', outputs: stored(3_000_000_000) })
    await finished(store, {
      id: 'link',
      outputs: [{ url }, ...stored(100), { fileKey: 'of an older release' }],
    })
    await finished(store, { id: 'failed', phase: 'failed' })
    await inserted(store, { id: 'new' })
    await finished(store, { id: 'c', owner: 'Alice', outputs: stored(5) })
    assert.equal(await store.storedBytes('alice', createdAt), 6_000_000_123)
    assert.equal(await store.storedBytes('Alice', createdAt), 5)
    assert.equal(await store.storedBytes('bob', createdAt), 0)
  },

  'stored bytes are those of the latest write': async ({ store }) => {
    if (!store.storedBytes) return
    const bytes = () => store.storedBytes!('alice', createdAt)
    const linked = await finished(store, { outputs: [{ url }, { url }] })
    assert.equal(await bytes(), 0)
    const half = await replaced(store, linked, { outputs: [...stored(7), { url }] })
    assert.equal(await bytes(), 7)
    assert.equal(await store.replace({ ...half, outputs: stored(7, 1000) }, linked.revision), 'stale')
    assert.equal(await bytes(), 7)
    await replaced(store, half, { outputs: stored(7, 90) })
    assert.equal(await bytes(), 97)
    await store.delete('job-1')
    assert.equal(await bytes(), 0)
  },

  'the bytes of a job that has expired or was deleted are free': async ({ store }) => {
    if (!store.storedBytes) return
    const expiresAt = createdAt + 1000
    await finished(store, { id: 'a', outputs: stored(10), expiresAt })
    const finishedJob = await finished(store, { id: 'b', outputs: stored(5) })
    assert.equal(await store.storedBytes('alice', expiresAt - 1), 15)
    assert.equal(await store.storedBytes('alice', expiresAt), 5)
    await replaced(store, finishedJob, { expiresAt: 0, deletedAt: createdAt })
    assert.equal(await store.storedBytes('alice', createdAt), 10)
  },

  'uploads count among the stored bytes of their owner until they expire, each as it was noted last': async ({
    store,
  }) => {
    if (!store.noteUpload || !store.storedBytes) return
    const expiresAt = createdAt + 1000
    const note = (key: string, bytes: number, changes: Partial<UploadNote> = {}) =>
      store.noteUpload!({ key, owner: 'alice', bytes, expiresAt, notedAt: createdAt, ...changes })
    await finished(store, { outputs: stored(5) })
    await note('a', 3_000_000_000)
    await note('b', 3_000_000_000, { expiresAt: expiresAt + 1 })
    await note('c', 7, { owner: 'Alice' })
    assert.equal(await store.storedBytes('alice', createdAt), 6_000_000_005)
    assert.equal(await store.storedBytes('Alice', createdAt), 7)
    assert.equal(await store.storedBytes('bob', createdAt), 0)
    await note('a', 10)
    await note('b', 20, { expiresAt: expiresAt + 1 })
    assert.equal(await store.storedBytes('alice', expiresAt - 1), 35)
    assert.equal(await store.storedBytes('alice', expiresAt), 25)
    assert.equal(await store.storedBytes('alice', expiresAt + 1), 5)
    await note('b', 0)
    await note('unknown', 0)
    assert.equal(await store.storedBytes('alice', createdAt), 15)
    await note('a', 30, { expiresAt: expiresAt + 5, notedAt: expiresAt })
    assert.equal(await store.storedBytes('alice', expiresAt), 35)
  },
}
