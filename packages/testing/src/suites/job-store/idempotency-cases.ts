import assert from 'node:assert/strict'
import type { Job, JobStore } from '@genmount/core'
import { exampleJob } from '../../jobs/example-job.ts'
import { assertStored, createdAt, finished, inserted, replaced, type JobStoreCases } from './stored-job.ts'

const idempotency = { key: 'alice /v1/generate key', fingerprint: 'a1b2' }

export const idempotencyCases: JobStoreCases = {
  'a key that a job holds is refused with that job, and nothing of the other is kept': async ({ store }) => {
    const holder = await inserted(store, { idempotency })
    await assertDuplicate(store, { id: 'job-2', createdAt: createdAt + 1 }, holder)
    assert.equal(await store.get('job-2'), undefined)
    assert.deepEqual(await store.due(createdAt + 60_000, 10), [holder.id])
  },

  'a duplicate gives the holder as it is now': async ({ store }) => {
    const holder = await inserted(store, { idempotency })
    const running = await replaced(store, holder, { phase: 'running', handle: 'h' })
    await assertDuplicate(store, { id: 'job-2' }, running)
    const done = await finished(store, { id: 'job-3', idempotency: { ...idempotency, key: 'other' } })
    await assertDuplicate(store, { id: 'job-4', idempotency: { ...idempotency, key: 'other' } }, done)
  },

  'a refused duplicate leaves its own id free': async ({ store }) => {
    const holder = await inserted(store, { idempotency })
    await assertDuplicate(store, { id: 'job-2' }, holder)
    await assertStored(store, await inserted(store, { id: 'job-2' }))
  },

  'keys that look alike are different keys': async ({ store }) => {
    const keys = [
      'key',
      'Key',
      'key ',
      ' key',
      'bob key',
      'caf\u00e9',
      'cafe\u0301',
      '',
      '__proto__',
      'constructor',
    ]
    for (const [index, key] of keys.entries()) {
      await inserted(store, { id: `job-${index}`, idempotency: { key, fingerprint: 'f' } })
    }
    for (const [index, key] of keys.entries()) {
      const outcome = await store.insert(exampleJob({ id: 'late', idempotency: { key, fingerprint: 'f' } }))
      assert.equal(outcome.outcome === 'duplicate' && outcome.job.id, `job-${index}`)
    }
  },

  'the fingerprint is no part of the key': async ({ store }) => {
    const holder = await inserted(store, { idempotency })
    await assertDuplicate(
      store,
      { id: 'job-2', idempotency: { ...idempotency, fingerprint: 'other' } },
      holder,
    )
  },

  'looking a key up gives the job that holds it, as it is now': async ({ store }) => {
    const holder = await inserted(store, { idempotency })
    await inserted(store, { id: 'job-2', idempotency: { ...idempotency, key: 'other' } })
    assert.deepEqual(await store.findByIdempotencyKey(idempotency.key, createdAt), holder)
    const running = await replaced(store, holder, { phase: 'running', handle: 'h' })
    assert.deepEqual(await store.findByIdempotencyKey(idempotency.key, createdAt), running)
  },

  'looking a key up finds nothing where it is unknown, expired or deleted': async ({ store }) => {
    const holder = await finished(store, { idempotency })
    for (const key of ['', 'unknown', idempotency.key.toUpperCase(), '__proto__', 'undefined']) {
      assert.equal(await store.findByIdempotencyKey(key, createdAt), undefined, `key ${JSON.stringify(key)}`)
    }
    assert.deepEqual(await store.findByIdempotencyKey(idempotency.key, holder.expiresAt - 1), holder)
    assert.equal(await store.findByIdempotencyKey(idempotency.key, holder.expiresAt), undefined)
    await store.delete(holder.id)
    assert.equal(await store.findByIdempotencyKey(idempotency.key, createdAt), undefined)
  },

  'jobs without a key never stand in each other’s way': async ({ store }) => {
    for (const id of ['job-1', 'job-2', 'job-3']) await assertStored(store, await inserted(store, { id }))
  },

  'of fifty jobs with one key at the same time, one is stored and given to the others': async ({ store }) => {
    const jobs = Array.from({ length: 50 }, (_, index) => exampleJob({ id: `job-${index}`, idempotency }))
    const outcomes = await Promise.all(jobs.map((job) => store.insert(job)))
    const winners = jobs.filter((_, index) => outcomes[index]?.outcome === 'inserted')
    assert.equal(winners.length, 1)
    for (const [index, outcome] of outcomes.entries()) {
      const isWinner = jobs[index] === winners[0]
      if (!isWinner) assert.deepEqual(outcome, { outcome: 'duplicate', job: winners[0] })
      assert.deepEqual(await store.get(`job-${index}`), isWinner ? winners[0] : undefined)
    }
  },

  'a key is free again once its holder has expired, and not a moment before': async ({ store }) => {
    const holder = await finished(store, { idempotency })
    await assertDuplicate(store, { id: 'early', createdAt: holder.expiresAt - 1 }, holder)
    const next = await inserted(store, { id: 'next', idempotency, createdAt: holder.expiresAt })
    await assertDuplicate(store, { id: 'late', createdAt: holder.expiresAt + 1 }, next)
  },

  'deleting a job that has lost its key to another leaves the key with the other': async ({ store }) => {
    const holder = await finished(store, { idempotency })
    const next = await inserted(store, { id: 'next', idempotency, createdAt: holder.expiresAt })
    await store.delete(holder.id)
    await assertDuplicate(store, { id: 'late', createdAt: holder.expiresAt + 1 }, next)
  },

  'a key is free again once its holder is deleted': async ({ store }) => {
    const processing = await inserted(store, { idempotency })
    await store.delete(processing.id)
    const done = await finished(store, { id: 'job-2', idempotency })
    await store.delete(done.id)
    await assertStored(store, await inserted(store, { id: 'job-3', idempotency }))
  },
}

async function assertDuplicate(store: JobStore, overrides: Partial<Job>, holder: Job): Promise<void> {
  const job = exampleJob({ idempotency, ...overrides })
  assert.deepEqual(await store.insert(job), { outcome: 'duplicate', job: holder })
}
