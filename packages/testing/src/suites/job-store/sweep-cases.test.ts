import { describe, expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import { isDue, isFinished, parse } from './reference-store.ts'
import { casesThatCatch, type StoreFault } from './store-fault.ts'

/** A store that takes other jobs for due. */
const dueWhere =
  (mayBeDue: (job: Job, now: number) => boolean): StoreFault['damage'] =>
  (_store, records) => ({
    due: async (now, limit) =>
      [...records.values()]
        .map(parse)
        .filter((job) => mayBeDue(job, now))
        .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
        .slice(0, limit)
        .map(({ id }) => id),
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
    damage: dueWhere((job, now) => isDue(job, now) && (job.claimedUntil ?? now) <= now),
    fails: ['a claim that lies further ahead than any pause has run out'],
  },
  'takes the longest pause for a longer one': {
    damage: dueWhere((job, now) => isDue(job, now) || isDue(job, now - 1)),
    fails: [
      'a step that lies further ahead than any pause is due, after all others',
      'a claim that lies further ahead than any pause has run out',
    ],
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
