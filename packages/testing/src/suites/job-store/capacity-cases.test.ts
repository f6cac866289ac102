import { describe, expect, test } from 'vitest'
import type { Job, JobStore } from '@genmount/core'
import { jobStoreSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { isFinished, parse, referenceStore, type Records } from './reference-store.ts'

const capacityFaults: Record<
  string,
  { readonly create: (jobs: number) => JobStore; readonly fails: readonly string[] }
> = {
  'takes more than it has room for': {
    create: () => referenceStore(),
    fails: [
      'a store full of processing jobs refuses another and keeps nothing of it',
      'a job that finishes makes room for another',
      'a finished job that gave way frees its idempotency key',
      'a finished job that gets a step again no longer gives way',
    ],
  },
  'makes no room for new jobs': {
    create: (jobs) => {
      const records: Records = new Map()
      const store = referenceStore(records)
      return {
        ...store,
        insert: async (job) => (records.size >= jobs ? { outcome: 'full' } : store.insert(job)),
      }
    },
    fails: [
      'a full store lets no processing job go, however many jobs come and finish',
      'a job that finishes makes room for another',
      'a finished job that gave way frees its idempotency key',
      'onForgotten gets each finished job that is dropped, once and as it was stored, and no other job',
      'a full store still knows its idempotency keys',
    ],
  },
  'evicts processing jobs': {
    create: (jobs) => {
      const records: Records = new Map()
      const store = referenceStore(records)
      return {
        ...store,
        async insert(job) {
          if (records.size >= jobs) records.delete(records.keys().next().value ?? '')
          return store.insert(job)
        },
      }
    },
    fails: [
      'a store full of processing jobs refuses another and keeps nothing of it',
      'a full store lets no processing job go, however many jobs come and finish',
      'a job that finishes makes room for another',
      'a finished job that gets a step again no longer gives way',
      'onForgotten gets each finished job that is dropped, once and as it was stored, and no other job',
      'a full store still knows its idempotency keys',
    ],
  },
  'cannot write once it is full': {
    create: (jobs) => {
      const records: Records = new Map()
      const store = referenceStore(records, jobs)
      return {
        ...store,
        replace: async (job, revision) => (records.size >= jobs ? 'stale' : store.replace(job, revision)),
      }
    },
    fails: [
      'a full store lets no processing job go, however many jobs come and finish',
      'jobs of a full store can still be moved on',
      'a job that finishes makes room for another',
      'onForgotten gets each finished job that is dropped, once and as it was stored, and no other job',
    ],
  },
  'lets a finished job that got a step again give way': {
    create(jobs) {
      const records: Records = new Map()
      const store = referenceStore(records, jobs)
      const mended = new Set<string>()
      return {
        ...store,
        async insert(job) {
          const [id] = records.size >= jobs ? mended : []
          if (id !== undefined) records.delete(id)
          return store.insert(job)
        },
        async replace(job, revision) {
          const stored = await store.get(job.id)
          if (stored && isFinished(stored) && !isFinished(job)) mended.add(job.id)
          return store.replace(job, revision)
        },
      }
    },
    fails: ['a finished job that gets a step again no longer gives way'],
  },
  'tells of no job that gave way': {
    create: (jobs) => ({ ...referenceStore(new Map(), jobs), onForgotten: () => {} }),
    fails: [
      'onForgotten gets each finished job that is dropped, once and as it was stored, and no other job',
    ],
  },
  'tells of deleted jobs too': {
    create(jobs) {
      const store = referenceStore(new Map(), jobs)
      let tell = (_job: Job) => {}
      return {
        ...store,
        async delete(id, expectedRevision) {
          const job = await store.get(id)
          if (job) tell(job)
          await store.delete(id, expectedRevision)
        },
        onForgotten(run) {
          tell = run
          store.onForgotten?.(run)
        },
      }
    },
    fails: [
      'onForgotten gets each finished job that is dropped, once and as it was stored, and no other job',
    ],
  },
  'tells of jobs by their ids alone': {
    create(jobs) {
      const store = referenceStore(new Map(), jobs)
      return { ...store, onForgotten: (run) => store.onForgotten?.((job) => run({ ...job, outputs: [] })) }
    },
    fails: [
      'onForgotten gets each finished job that is dropped, once and as it was stored, and no other job',
    ],
  },
  'asks for room before it asks for the key': {
    create: (jobs) => {
      const records: Records = new Map()
      const store = referenceStore(records, jobs)
      const isPinned = () => [...records.values()].every((record) => !isFinished(parse(record)))
      return {
        ...store,
        insert: async (job) => (records.size >= jobs && isPinned() ? { outcome: 'full' } : store.insert(job)),
      }
    },
    fails: ['a full store still knows its idempotency keys'],
  },
}

describe('a broken bounded store fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(capacityFaults))('%s', async (_fault, { create, fails }) => {
    const suite = jobStoreSuite(() => ({ store: referenceStore() }), {
      createWithRoomFor: (jobs) => ({ store: create(jobs) }),
    })
    expect(await failingCases(suite)).toEqual(fails)
  })
})
