import { describe, expect, test } from 'vitest'
import type { Job, JobStore } from '@genmount/core'
import { isFinished, parse } from './reference-store.ts'
import { casesThatCatch, type StoreFault } from './store-fault.ts'

/** Changes every job on its way out of `get`. */
const reading = (change: (job: Job) => Job) => (store: JobStore) => ({
  async get(id: string) {
    const job = await store.get(id)
    return job && change(job)
  },
})

const slips: Record<string, StoreFault> = {
  'forgets one field': {
    damage: reading(({ earliestAt: _forgotten, ...job }) => job),
    fails: ['a job comes back as it went in, with every field'],
  },
  'takes a falsy handle for none': {
    damage: reading(({ handle, ...job }) => (handle ? { ...job, handle } : job)),
    fails: ['falsy handles are kept apart from no handle'],
  },
  'keeps jobs as properties of an object': {
    damage: (store) => ({ get: async (id) => (await store.get(id)) ?? ({} as Record<string, Job>)[id] }),
    fails: ['names of object internals are names like any other'],
  },
  'pads and folds ids, as some collations do': {
    damage: (store) => ({ get: async (id) => (await store.get(id)) ?? store.get(id.trim().toLowerCase()) }),
    fails: ['an id that nobody has is undefined'],
  },
  'cannot delete what is not there': {
    damage: (store, records) => ({
      async delete(id, expectedRevision) {
        if (!records.has(id)) throw new Error('no such job')
        await store.delete(id, expectedRevision)
      },
    }),
    fails: ['a deleted job is gone, and deleting it again or an unknown one does nothing'],
  },
  'deletes a job whatever its revision is': {
    damage: (store) => ({ delete: (id) => store.delete(id) }),
    fails: ['a delete that names another revision than the stored one deletes nothing, not even the input'],
  },
  'reads everything, waits, and writes everything': {
    damage: (store, records) => ({
      async insert(job) {
        const before = [...records]
        const outcome = await store.insert(job)
        if (outcome.outcome !== 'inserted') return outcome
        await new Promise((resolve) => setImmediate(resolve))
        const after = records.get(job.id) ?? ''
        records.clear()
        for (const [id, record] of before) records.set(id, record)
        records.set(job.id, after)
        return outcome
      },
    }),
    fails: ['a hundred jobs that come at the same time are all kept'],
  },
  'gives the holder of a key as it was at first': {
    damage: (store) => {
      const first = new Map<string, Job>()
      return {
        async insert(job) {
          const outcome = await store.insert(job)
          if (outcome.outcome === 'inserted') first.set(job.id, job)
          return outcome.outcome === 'duplicate'
            ? { ...outcome, job: first.get(outcome.job.id) ?? outcome.job }
            : outcome
        },
        async findByIdempotencyKey(key, now) {
          const holder = await store.findByIdempotencyKey(key, now)
          return holder && first.get(holder.id)
        },
      }
    },
    fails: [
      'a duplicate gives the holder as it is now',
      'looking a key up gives the job that holds it, as it is now',
      'looking a key up finds nothing where it is unknown, expired or deleted',
      'a key is free again once its holder has expired, and not a moment before',
      'a finished job that gets a step again is due, is no longer expired, and keeps its idempotency key',
    ],
  },
  'reserves the id of a refused job': {
    damage: (store) => {
      const reserved = new Set<string>()
      return {
        async insert(job) {
          if (reserved.has(job.id)) return { outcome: 'full' }
          const outcome = await store.insert(job)
          if (outcome.outcome === 'duplicate') reserved.add(job.id)
          return outcome
        },
      }
    },
    fails: ['a refused duplicate leaves its own id free', 'keys that look alike are different keys'],
  },
  'counts the fingerprint as a part of the key': {
    damage: (store) => ({
      async insert(job) {
        const holder =
          job.idempotency && (await store.findByIdempotencyKey(job.idempotency.key, job.createdAt))
        if (!holder || holder.idempotency?.fingerprint === job.idempotency?.fingerprint)
          return store.insert(job)
        const { idempotency: _other, ...rest } = job
        return store.insert(rest)
      },
    }),
    fails: ['the fingerprint is no part of the key'],
  },
  'takes no key for a key like any other': {
    damage: (store) => ({
      async insert(job) {
        if (job.idempotency) return store.insert(job)
        const holder = await store.findByIdempotencyKey('none', job.createdAt)
        if (holder) return { outcome: 'duplicate', job: holder }
        return store.insert({ ...job, idempotency: { key: 'none', fingerprint: '' } })
      },
    }),
    fails: [
      'falsy handles are kept apart from no handle',
      'text of any kind is kept as it is',
      'numbers are kept exactly',
      'a deep and a large task are kept whole',
      'task and input stay as they were inserted, through all writes until the job has finished',
      'a read for which the caller has the inputs of the job gives the whole job',
      'jobs that share a task each keep it',
      'a job that takes a deleted one’s id has its own task',
      'names of object internals are names like any other',
      'ids that look alike are different jobs',
      'changing a job that went in or came out does not change the stored one',
      'a deleted job is gone, and deleting it again or an unknown one does nothing',
      'a hundred jobs that come at the same time are all kept',
      'a new job with an instant that is no safe integer is refused, and nothing is stored',
      'a write with an instant that is no safe integer is refused, and changes nothing',
      'a refused duplicate leaves its own id free',
      'jobs without a key never stand in each other’s way',
      'a write that names an older or a newer revision is stale and writes nothing',
      'a write touches no other job',
      'jobs are due from their instant on, the longest due first',
      'no more than the limit are due, and they are the longest due',
      'claimed jobs take up none of the limit',
      'a step that lies further ahead than any pause is due, after all others',
      'a claim that lies further ahead than any pause has run out',
      'every unfinished phase can be due',
      'a processing job never expires',
      'a processing job outlives a flood of finished ones',
    ],
  },
  'keeps the key of a deleted job': {
    damage: (store) => {
      const deleted = new Map<string, Job>()
      return {
        async insert(job) {
          const holder = deleted.get(job.idempotency?.key ?? '')
          return holder && job.createdAt < holder.expiresAt
            ? { outcome: 'duplicate', job: holder }
            : store.insert(job)
        },
        async delete(id, expectedRevision) {
          const job = await store.get(id)
          await store.delete(id, expectedRevision)
          if (job?.idempotency && !(await store.get(id))) deleted.set(job.idempotency.key, job)
        },
      }
    },
    fails: ['a key is free again once its holder is deleted'],
  },
  'says that it has replaced and keeps the old handle': {
    damage: (store) => ({
      async replace(job, expectedRevision) {
        const { handle: _new, ...rest } = job
        const handle = (await store.get(job.id))?.handle
        return store.replace(handle === undefined ? rest : { ...rest, handle }, expectedRevision)
      },
    }),
    fails: [
      'a finished job comes back with its outputs, its cost and its error',
      'a field that is absent stays absent, and one that a write leaves out is gone',
      'numbers are kept exactly',
      'the write that marks a job as deleted removes its input',
      'changing a job that went in or came out does not change the stored one',
      'a duplicate gives the holder as it is now',
      'looking a key up gives the job that holds it, as it is now',
      'looking a key up finds nothing where it is unknown, expired or deleted',
      'a key is free again once its holder has expired, and not a moment before',
      'a write that names the stored revision is stored',
      'a write to a finished job that names an old revision changes nothing',
      'a finished job that gets a step again is due, is no longer expired, and keeps its idempotency key',
      'a finished job with a step left is due until that is taken',
      'finished jobs have expired from their instant on',
      'a finished job with a step left expires like any other',
      'an expired job whose deletion is put off is not returned before its new instant',
      'every write can change when a job is to be deleted',
      'a job that has expired is still there until it is deleted',
    ],
  },
  'writes to every job whose id begins the same': {
    damage: (store, records) => ({
      async replace(job, expectedRevision) {
        const outcome = await store.replace(job, expectedRevision)
        if (outcome === 'stale') return outcome
        for (const id of records.keys()) {
          if (id.startsWith(job.id)) records.set(id, JSON.stringify({ ...job, id }))
        }
        return outcome
      },
    }),
    fails: ['a write touches no other job'],
  },
  'leaves out none of the jobs that are due': {
    damage: (store) => ({ due: (now, limit) => store.due(now, limit) }),
    fails: ['no more than the limit are due, and they are the longest due'],
  },
  'finds jobs due a moment late': {
    damage: (store) => ({ due: (now, limit, skip) => store.due(now - 1, limit, skip) }),
    fails: [
      'a write that names an older or a newer revision is stale and writes nothing',
      'a finished job that gets a step again is due, is no longer expired, and keeps its idempotency key',
      'jobs are due from their instant on, the longest due first',
      'a job that somebody has claimed is not due before the claim has run out',
      'claimed jobs take up none of the limit',
      'what is due follows every write',
      'a finished job with a step left is due until that is taken',
      'a step that lies further ahead than any pause is due, after all others',
      'a claim that lies further ahead than any pause has run out',
      'a processing job outlives a flood of finished ones',
    ],
  },
  'finds finished jobs due, whether or not a step is left': {
    damage: (store, records) => ({
      async due(now, limit, skip) {
        const rest = [...records.values()].map(parse).filter((job) => isFinished(job) && !job.dueAt)
        return [...(await store.due(now, limit, skip)), ...rest.map(({ id }) => id)].slice(0, limit)
      },
    }),
    fails: [
      'a write to a finished job that names an old revision changes nothing',
      'a finished job that gets a step again is due, is no longer expired, and keeps its idempotency key',
      'finished jobs with no step left and deleted jobs are never due',
      'a finished job with a step left is due until that is taken',
      'a processing job outlives a flood of finished ones',
    ],
  },
  'finds expired jobs a moment late': {
    damage: (store) => ({ expired: (now, limit) => store.expired(now - 1, limit) }),
    fails: [
      'a finished job that gets a step again is due, is no longer expired, and keeps its idempotency key',
      'finished jobs have expired from their instant on',
      'a finished job with a step left expires like any other',
      'an expired job whose deletion is put off is not returned before its new instant',
      'every write can change when a job is to be deleted',
      'expired jobs come in portions, and deleting each portion finds them all',
    ],
  },
  'files a job under its expiry only while that lies ahead': {
    damage: (store, records) => {
      const ahead = new Set<string>()
      return {
        async insert(job) {
          if (job.expiresAt > job.createdAt) ahead.add(job.id)
          return store.insert(job)
        },
        async expired(now, limit) {
          const jobs = await store.expired(now, records.size)
          return jobs.filter(({ id }) => ahead.has(id)).slice(0, limit)
        },
      }
    },
    fails: [
      'a job that finishes after its expiry has expired',
      'expired jobs come in portions, and deleting each portion finds them all',
    ],
  },
  'minds no limit for expired jobs': {
    damage: (store) => ({ expired: (now) => store.expired(now, 1_000) }),
    fails: ['expired jobs come in portions, and deleting each portion finds them all'],
  },
}

describe('a store with a slip fails exactly the cases that name it: it', () => {
  test.each(Object.entries(slips))('%s', async (_slip, fault) => {
    expect(await casesThatCatch(fault)).toEqual(fault.fails)
  })
})
