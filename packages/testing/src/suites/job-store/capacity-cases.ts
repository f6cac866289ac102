import assert from 'node:assert/strict'
import type { Job } from '@genmount/core'
import { exampleJob } from '../../jobs/example-job.ts'
import { assertStored, createdAt, finished, inserted, replaced, type JobStoreCases } from './stored-job.ts'

const idempotency = { key: 'key', fingerprint: 'f' }

/** The cases for a store that has room for exactly three jobs. */
export const capacityCases: JobStoreCases = {
  'a store full of processing jobs refuses another and keeps nothing of it': async ({ store }) => {
    const jobs = [
      await inserted(store, { id: 'a' }),
      await inserted(store, { id: 'b' }),
      await inserted(store, { id: 'c' }),
    ]
    assert.deepEqual(await store.insert(exampleJob({ id: 'd', idempotency })), { outcome: 'full' })
    assert.equal(await store.get('d'), undefined)
    for (const job of jobs) await assertStored(store, job)
    await store.delete('a')
    await assertStored(store, await inserted(store, { id: 'e', idempotency }))
  },

  'a full store lets no processing job go, however many jobs come and finish': async ({ store }) => {
    const pinned = [await inserted(store, { id: 'a' }), await inserted(store, { id: 'b' })]
    for (let index = 0; index < 20; index++) await finished(store, { id: `job-${index}` })
    for (const job of pinned) await assertStored(store, job)
    assert.deepEqual((await store.due(createdAt, 10)).toSorted(), ['a', 'b'])
  },

  'jobs of a full store can still be moved on': async ({ store }) => {
    const job = await inserted(store, { id: 'a' })
    for (const id of ['b', 'c']) await inserted(store, { id })
    await assertStored(store, await replaced(store, job, { phase: 'running', handle: { id: 'vendor task' } }))
  },

  'a job that finishes makes room for another': async ({ store }) => {
    for (const id of ['a', 'b']) await inserted(store, { id })
    await finished(store, { id: 'c' })
    await assertStored(store, await inserted(store, { id: 'd' }))
    assert.deepEqual(await store.insert(exampleJob({ id: 'e' })), { outcome: 'full' })
  },

  'a finished job that gave way frees its idempotency key': async ({ store }) => {
    await finished(store, { id: 'a', idempotency })
    for (const id of ['b', 'c', 'd']) await inserted(store, { id })
    assert.equal(await store.get('a'), undefined)
    await store.delete('b')
    await assertStored(store, await inserted(store, { id: 'e', idempotency }))
  },

  'a finished job that gets a step again no longer gives way': async ({ store }) => {
    const job = await finished(store, { id: 'a', phase: 'failed', idempotency })
    const mended = await replaced(store, job, { phase: 'running', handle: 'h', dueAt: createdAt })
    for (const id of ['b', 'c']) await inserted(store, { id })
    assert.deepEqual(await store.insert(exampleJob({ id: 'd' })), { outcome: 'full' })
    await assertStored(store, mended)
    assert.deepEqual(await store.findByIdempotencyKey(idempotency.key, createdAt), mended)
    assert.deepEqual((await store.due(createdAt, 10)).toSorted(), ['a', 'b', 'c'])
  },

  'onForgotten gets each finished job that is dropped, once and as it was stored, and no other job': async ({
    store,
  }) => {
    const forgotten: Job[] = []
    assert.ok(store.onForgotten, 'a store that forgets jobs tells of them')
    store.onForgotten((job) => forgotten.push(job))
    await inserted(store, { id: 'pinned' })
    await finished(store, { id: 'deleted' })
    await store.delete('deleted')
    const jobs: Job[] = []
    for (const id of ['a', 'b', 'c', 'd']) {
      const outputs = [{ fileKey: `${id}/0`, contentType: 'image/png' }]
      jobs.push(await finished(store, { id, outputs }))
    }
    const isGone = await Promise.all(jobs.map(async ({ id }) => (await store.get(id)) === undefined))
    const byId = (a: Job, b: Job) => (a.id < b.id ? -1 : 1)
    assert.deepEqual(
      forgotten.toSorted(byId),
      jobs.filter((_, index) => isGone[index]),
    )
  },

  'a full store still knows its idempotency keys': async ({ store }) => {
    const holder = await inserted(store, { id: 'a', idempotency })
    for (const id of ['b', 'c']) await inserted(store, { id })
    assert.deepEqual(await store.insert(exampleJob({ id: 'd', idempotency })), {
      outcome: 'duplicate',
      job: holder,
    })
  },
}
