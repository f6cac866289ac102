import assert from 'node:assert/strict'
import { exampleJob } from '../../jobs/example-job.ts'
import { assertStored, createdAt, finished, inserted, replaced, type JobStoreCases } from './stored-job.ts'

export const replaceCases: JobStoreCases = {
  'a write that names the stored revision is stored': async ({ store }) => {
    const job = await inserted(store)
    const running = await replaced(store, job, { phase: 'running', handle: { id: 1 }, dueAt: createdAt + 5 })
    await assertStored(store, running)
    await assertStored(store, await replaced(store, running, { phase: 'completed', costUsd: 0.3 }))
  },

  'a write that names an older or a newer revision is stale and writes nothing': async ({ store }) => {
    const job = await inserted(store, { revision: 7 })
    for (const expected of [6, 8, 0, -1]) {
      assert.equal(await store.replace({ ...job, owner: 'mallory', revision: 8 }, expected), 'stale')
    }
    await assertStored(store, job)
    assert.deepEqual(await store.due(createdAt, 10), [job.id])
  },

  'a write is stale once another has replaced the revision it names': async ({ store }) => {
    const job = await inserted(store)
    const first = await replaced(store, job, { attempts: 1 })
    assert.equal(await store.replace({ ...job, attempts: 2, revision: 2 }, job.revision), 'stale')
    await assertStored(store, first)
  },

  'of fifty writes over one revision at the same time, one wins': async ({ store }) => {
    const job = await inserted(store)
    const writes = Array.from({ length: 50 }, (_, index) => ({ ...job, attempts: index + 1, revision: 2 }))
    const outcomes = await Promise.all(writes.map((write) => store.replace(write, job.revision)))
    assert.equal(outcomes.filter((outcome) => outcome === 'replaced').length, 1)
    assert.equal(outcomes.filter((outcome) => outcome === 'stale').length, 49)
    assert.deepEqual(await store.get(job.id), writes[outcomes.indexOf('replaced')])
  },

  'a write to a finished job that names an old revision changes nothing': async ({ store }) => {
    const job = await finished(store)
    assert.equal(await store.replace(exampleJob({ revision: 3, phase: 'running' }), 1), 'stale')
    await assertStored(store, job)
    assert.deepEqual(await store.due(createdAt + 60_000, 10), [])
  },

  'a write to a job that is not there or was deleted is stale and does not bring it back': async ({
    store,
  }) => {
    const job = await inserted(store)
    await store.delete(job.id)
    for (const id of [job.id, 'unknown']) {
      assert.equal(await store.replace({ ...job, id, revision: 2 }, 1), 'stale')
      assert.equal(await store.get(id), undefined)
    }
    assert.deepEqual(await store.due(createdAt + 60_000, 10), [])
  },

  'a delete that names another revision than the stored one deletes nothing, not even the input': async ({
    store,
  }) => {
    const job = await inserted(store, { idempotency: { key: 'key', fingerprint: 'f' } })
    for (const expected of [0, 2]) {
      await store.delete(job.id, expected)
      await assertStored(store, job)
    }
    assert.deepEqual(await store.findByIdempotencyKey('key', createdAt), job)
    await store.delete(job.id, 1)
    assert.equal(await store.get(job.id), undefined)
    assert.equal(await store.findByIdempotencyKey('key', createdAt), undefined)
  },

  'a finished job that gets a step again is due, is no longer expired, and keeps its idempotency key':
    async ({ store }) => {
      const idempotency = { key: 'key', fingerprint: 'f' }
      const expiresAt = createdAt + 60_000
      const failed = await finished(store, { phase: 'failed', expiresAt, idempotency })
      assert.deepEqual(await store.expired(expiresAt, 10), [failed])
      const { error: _error, completedAt: _completedAt, ...rest } = failed
      const dueAt = createdAt + 1_000
      const mended = { ...rest, phase: 'running', handle: { id: 1 }, dueAt, revision: 3 } as const
      assert.equal(await store.replace(mended, 2), 'replaced')
      await assertStored(store, mended)
      assert.deepEqual(await store.due(dueAt, 10), [failed.id])
      assert.deepEqual(await store.expired(expiresAt, 10), [])
      assert.deepEqual(await store.findByIdempotencyKey('key', createdAt), mended)
      const completed = exampleJob({ phase: 'completed', createdAt, expiresAt, idempotency, revision: 4 })
      assert.equal(await store.replace(completed, 3), 'replaced')
      assert.deepEqual(await store.due(expiresAt, 10), [])
      assert.deepEqual(await store.expired(expiresAt, 10), [completed])
      assert.deepEqual(await store.findByIdempotencyKey('key', createdAt), completed)
    },

  'a write touches no other job': async ({ store }) => {
    const job = await inserted(store)
    const other = await inserted(store, { id: 'job-10' })
    await replaced(store, job, { phase: 'running' })
    await assertStored(store, other)
  },
}
