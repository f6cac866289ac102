import { describe, expect, test } from 'vitest'
import type { JobStore } from '@genmount/core'
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
