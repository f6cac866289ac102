import assert from 'node:assert/strict'
import { longestPauseMs } from '@genmount/core'
import { assertStored, createdAt, finished, inserted, replaced, type JobStoreCases } from './stored-job.ts'

const now = createdAt + 60_000
const hourMs = 60 * 60_000

export const sweepCases: JobStoreCases = {
  'jobs are due from their instant on, the longest due first': async ({ store }) => {
    for (const [id, dueAt] of Object.entries({ c: now, a: now - 9, later: now + 1, b: now - 8 })) {
      await inserted(store, { id, dueAt })
    }
    assert.deepEqual(await store.due(now, 10), ['a', 'b', 'c'])
    assert.deepEqual(await store.due(now + 1, 10), ['a', 'b', 'c', 'later'])
    assert.deepEqual(await store.due(now - 10, 10), [])
  },

  'no more than the limit are due, and they are the longest due': async ({ store }) => {
    const delays = [5, 3, 1, 4, 2]
    for (const delay of delays) await inserted(store, { id: `job-${delay}`, dueAt: now - 10 + delay })
    assert.deepEqual(await store.due(now, 3), ['job-1', 'job-2', 'job-3'])
    assert.deepEqual(await store.due(now, 2, 3), ['job-4', 'job-5'])
    assert.deepEqual(await store.due(now, 2, 100), [])
  },

  'a job that somebody has claimed is not due before the claim has run out': async ({ store }) => {
    const job = await inserted(store, { phase: 'submitting', dueAt: now - 10, claim: { until: now } })
    assert.deepEqual(await store.due(now - 1, 10), [])
    assert.deepEqual(await store.due(now, 10), [job.id])
  },

  'claimed jobs take up none of the limit': async ({ store }) => {
    for (const id of ['a', 'b', 'c'])
      await inserted(store, { id, dueAt: now - 10, claim: { until: now + 1 } })
    await inserted(store, { id: 'free', dueAt: now })
    assert.deepEqual(await store.due(now, 2), ['free'])
  },

  'what is due follows every write': async ({ store }) => {
    const job = await inserted(store, { dueAt: now })
    const claimed = await replaced(store, job, { phase: 'submitting', claim: { until: now + 30_000 } })
    assert.deepEqual(await store.due(now, 10), [])
    const { claim: _over, ...unclaimed } = claimed
    assert.equal(await store.replace({ ...unclaimed, dueAt: now + 500, revision: 3 }, 2), 'replaced')
    assert.deepEqual(await store.due(now + 499, 10), [])
    assert.deepEqual(await store.due(now + 500, 10), [job.id])
  },

  'finished jobs with no step left and deleted jobs are never due': async ({ store }) => {
    await finished(store, { id: 'completed' })
    await finished(store, { id: 'failed', phase: 'failed' })
    const job = await inserted(store, { id: 'deleted', dueAt: now - 10 })
    await store.delete(job.id)
    assert.deepEqual(await store.due(now, 10), [])
  },

  'a finished job with a step left is due until that is taken': async ({ store }) => {
    const job = await finished(store, { dueAt: now })
    assert.deepEqual(await store.due(now - 1, 10), [])
    assert.deepEqual(await store.due(now, 10), [job.id])
    const { dueAt: _taken, ...rest } = job
    assert.equal(await store.replace({ ...rest, revision: 3 }, 2), 'replaced')
    assert.deepEqual(await store.due(now, 10), [])
    await assertStored(store, { ...rest, revision: 3 })
  },

  'a step that lies further ahead than any pause is due, after all others': async ({ store }) => {
    const pauses = { longest: longestPauseMs, longer: longestPauseMs + 1, none: 0, year: 8_760 * hourMs }
    for (const [id, pauseMs] of Object.entries(pauses)) await inserted(store, { id, dueAt: now + pauseMs })
    assert.deepEqual(await store.due(now, 10), ['none', 'longer', 'year'])
    assert.deepEqual(await store.due(now, 2), ['none', 'longer'])
  },

  'a claim that lies further ahead than any pause has run out': async ({ store }) => {
    const dueAts = { come: now - 10, ahead: now + 2 * longestPauseMs }
    for (const [id, dueAt] of Object.entries(dueAts)) {
      await inserted(store, { id: `live ${id}`, dueAt, claim: { until: now + longestPauseMs } })
      await inserted(store, { id: `free ${id}`, dueAt, claim: { until: now + longestPauseMs + 1 } })
    }
    assert.deepEqual(await store.due(now, 10), ['free come', 'free ahead'])
  },

  'every unfinished phase can be due': async ({ store }) => {
    const phases = ['accepted', 'submitting', 'running', 'collecting'] as const
    for (const [index, phase] of phases.entries()) {
      await inserted(store, { id: phase, phase, dueAt: now - 10 + index, claim: { until: now - 10 } })
    }
    assert.deepEqual(await store.due(now, 10), phases)
  },

  'finished jobs have expired from their instant on': async ({ store }) => {
    const completed = await finished(store, { id: 'completed', expiresAt: now })
    const failed = await finished(store, { id: 'failed', phase: 'failed', expiresAt: now + 1 })
    assert.deepEqual(await store.expired(now - 1, 10), [])
    assert.deepEqual(await store.expired(now, 10), [completed])
    const both = await store.expired(now + 1, 10)
    assert.deepEqual(
      new Map(both.map((job) => [job.id, job])),
      new Map([
        ['completed', completed],
        ['failed', failed],
      ]),
    )
  },

  'a finished job with a step left expires like any other': async ({ store }) => {
    const job = await finished(store, { expiresAt: now, dueAt: now + 1, claim: { until: now + 1 } })
    assert.deepEqual(await store.expired(now - 1, 10), [])
    assert.deepEqual(await store.expired(now, 10), [job])
  },

  'an expired job whose deletion is put off is not returned before its new instant': async ({ store }) => {
    const job = await finished(store, { expiresAt: now, deleteAt: now + 5 })
    assert.deepEqual(await store.expired(now + 4, 10), [])
    assert.deepEqual(await store.expired(now + 5, 10), [job])
  },

  'every write can change when a job is to be deleted': async ({ store }) => {
    const job = await finished(store, { expiresAt: now })
    const later = await replaced(store, job, { deleteAt: now + 1 })
    const muchLater = await replaced(store, later, { deleteAt: now + 3 * hourMs })
    assert.deepEqual(await store.expired(now + 3 * hourMs - 1, 10), [])
    assert.deepEqual(await store.expired(now + 3 * hourMs, 10), [muchLater])
    const sooner = await replaced(store, muchLater, { deleteAt: now + 2 })
    assert.deepEqual(await store.expired(now + 2, 10), [sooner])
    const { deleteAt: _none, ...rest } = { ...sooner, revision: sooner.revision + 1 }
    assert.equal(await store.replace(rest, sooner.revision), 'replaced')
    assert.deepEqual(await store.expired(now, 10), [rest])
    await store.delete(job.id)
    assert.deepEqual(await store.expired(now + 4 * hourMs, 10), [])
  },

  'a processing job never expires': async ({ store }) => {
    for (const phase of ['accepted', 'submitting', 'running', 'collecting'] as const) {
      await assertStored(store, await inserted(store, { id: phase, phase, expiresAt: now - hourMs }))
    }
    assert.deepEqual(await store.expired(now + 365 * 24 * hourMs, 10), [])
  },

  'a job that finishes after its expiry has expired': async ({ store }) => {
    const job = await inserted(store, { expiresAt: now - hourMs })
    const { dueAt: _dueAt, input: _task, ...rest } = job
    const failed = { ...rest, phase: 'failed', revision: 2 } as const
    assert.equal(await store.replace(failed, 1), 'replaced')
    assert.deepEqual(await store.expired(now, 10), [failed])
  },

  'a job that has expired is still there until it is deleted': async ({ store }) => {
    const job = await finished(store, { expiresAt: now })
    await store.expired(now + hourMs, 10)
    await assertStored(store, job)
    await store.delete(job.id)
    assert.deepEqual(await store.expired(now + hourMs, 10), [])
  },

  'expired jobs come in portions, and deleting each portion finds them all': async ({ store }) => {
    const ids = Array.from({ length: 25 }, (_, index) => `job-${index}`)
    for (const [index, id] of ids.entries()) await finished(store, { id, expiresAt: now - index * hourMs })
    await finished(store, { id: 'kept', expiresAt: now + 1 })
    const dueIds: string[] = []
    for (
      let portion = await store.expired(now, 10);
      portion.length > 0;
      portion = await store.expired(now, 10)
    ) {
      assert.ok(portion.length <= 10, `${portion.length} jobs in a portion of 10`)
      assert.ok(dueIds.length < ids.length, 'deleted jobs expire again')
      for (const job of portion) {
        dueIds.push(job.id)
        await store.delete(job.id)
      }
    }
    assert.deepEqual(dueIds.toSorted(), ids.toSorted())
  },

  'a processing job outlives a flood of finished ones': async ({ store }) => {
    const job = await inserted(store, { id: 'pinned', dueAt: now })
    for (let index = 0; index < 200; index++) await finished(store, { id: `job-${index}` })
    await assertStored(store, job)
    assert.deepEqual(await store.due(now, 10), [job.id])
  },
}
