import { describe, expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import { casesThatCatch, type StoreFault } from './store-fault.ts'

const ofNewJobs = 'a new job with an instant that is no safe integer is refused, and nothing is stored'
const ofWrites = 'a write with an instant that is no safe integer is refused, and changes nothing'

/** A store that changes a job before it checks it. */
const checking =
  (change: (job: Job) => Job): StoreFault['damage'] =>
  (store, records) => ({
    async insert(job) {
      const outcome = await store.insert(change(job))
      if (outcome.outcome === 'inserted') records.set(job.id, JSON.stringify(job))
      return outcome
    },
    async replace(job, expectedRevision) {
      const outcome = await store.replace(change(job), expectedRevision)
      if (outcome === 'replaced') records.set(job.id, JSON.stringify(job))
      return outcome
    },
  })

const rounded = (job: Job): Job =>
  Object.fromEntries(
    Object.entries(job).map(([name, value]) => [name, name.endsWith('At') ? Math.round(value) : value]),
  ) as unknown as Job

const faults: Record<string, StoreFault> = {
  'rounds instants': { damage: checking(rounded), fails: [ofNewJobs, ofWrites] },
  'looks at the instants in its columns only': {
    damage: checking(({ webhook: _webhook, unknown: _unknown, setback: _setback, ...job }) => job),
    fails: [ofNewJobs, ofWrites],
  },
  'refuses after it has written': {
    damage: (store, records) => ({
      replace: (job, expectedRevision) =>
        store.replace(job, expectedRevision).catch((refusal: unknown) => {
          records.set(job.id, JSON.stringify(job))
          throw refusal
        }),
    }),
    fails: [ofWrites],
  },
  'says that it does not answer': {
    damage: (store) => ({
      insert: (job) => store.insert(job).catch(() => Promise.reject(new Error('ECONNRESET'))),
    }),
    fails: [ofNewJobs],
  },
}

describe('a store with a fault fails exactly the cases that name it: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, fault) => {
    expect(await casesThatCatch(fault)).toEqual(fault.fails)
  })
})
