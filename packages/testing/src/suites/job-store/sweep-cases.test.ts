import { describe, expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import { deletionOf, isDue, isFinished, parse } from './reference-store.ts'
import { casesThatCatch, type StoreFault } from './store-fault.ts'

/** A store with a wrong rule for due jobs. */
const dueWhere =
  (mayBeDue: (job: Job, now: number) => boolean): StoreFault['damage'] =>
  (_store, records) => ({
    due: async (now, limit, skip = 0) =>
      [...records.values()]
        .map(parse)
        .filter((job) => mayBeDue(job, now))
        .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
        .slice(skip, skip + limit)
        .map(({ id }) => id),
  })

/** A store with a wrong rule for the instant of deletion. */
const expiredBy =
  (instantOf: (job: Job) => number): StoreFault['damage'] =>
  (_store, records) => ({
    expired: async (now, limit) =>
      [...records.values()]
        .map(parse)
        .filter((job) => isFinished(job) && instantOf(job) <= now)
        .slice(0, limit),
  })

const faults: Record<string, StoreFault> = {
  'takes finished for over': {
    damage: dueWhere((job, now) => !isFinished(job) && isDue(job, now)),
    fails: ['a finished job with a step left is due until that is taken'],
  },
  'waits for steps from before the clock was put back': {
    damage: dueWhere((job, now) => isDue(job, now) && (job.dueAt ?? now) <= now),
    fails: [
      'a step that lies further ahead than any pause is due, after all others',
      'a claim that lies further ahead than any pause has run out',
    ],
  },
  'waits for claims from before the clock was put back': {
    damage: dueWhere((job, now) => isDue(job, now) && (job.claim?.until ?? now) <= now),
    fails: ['a claim that lies further ahead than any pause has run out'],
  },
  'takes the longest pause for a longer one': {
    damage: dueWhere((job, now) => isDue(job, now) || isDue(job, now - 1)),
    fails: [
      'a step that lies further ahead than any pause is due, after all others',
      'a claim that lies further ahead than any pause has run out',
    ],
  },
  'deletes jobs when they expire, whatever was put off': {
    damage: expiredBy(({ expiresAt }) => expiresAt),
    fails: [
      'an expired job whose deletion is put off is not returned before its new instant',
      'every write can change when a job is to be deleted',
    ],
  },
  'waits for the expiry and for the deletion': {
    damage: expiredBy(({ deleteAt = 0, expiresAt }) => Math.max(deleteAt, expiresAt + 1)),
    fails: [
      'a finished job that gets a step again is due, is no longer expired, and keeps its idempotency key',
      'finished jobs have expired from their instant on',
      'a finished job with a step left expires like any other',
      'every write can change when a job is to be deleted',
      'expired jobs come in portions, and deleting each portion finds them all',
    ],
  },
  'puts off a deletion once': {
    damage(store) {
      const putOff = new Map<string, number | undefined>()
      return {
        async replace(job, expectedRevision) {
          const deleteAt = putOff.get(job.id) ?? job.deleteAt
          if (deleteAt !== undefined) putOff.set(job.id, deleteAt)
          return store.replace(job, expectedRevision)
        },
        async expired(now, limit) {
          const jobs = await store.expired(Infinity, 1_000)
          return jobs.filter((job) => (putOff.get(job.id) ?? deletionOf(job)) <= now).slice(0, limit)
        },
      }
    },
    fails: ['every write can change when a job is to be deleted'],
  },
  'keeps a finished job while a step is left': {
    damage: (store, records) => ({
      async expired(now, limit) {
        const jobs = await store.expired(now, records.size)
        return jobs.filter(({ dueAt }) => dueAt === undefined).slice(0, limit)
      },
    }),
    fails: ['a finished job with a step left expires like any other'],
  },
}

describe('a store with a fault fails exactly the cases that name it: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, fault) => {
    expect(await casesThatCatch(fault)).toEqual(fault.fails)
  })
})
