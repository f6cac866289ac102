import assert from 'node:assert/strict'
import type { Job } from '@genmount/core'
import { exampleJob } from '../../jobs/example-job.ts'
import { assertStored, createdAt, inserted, type JobStoreCases } from './stored-job.ts'

const attempt = { event: 'job.failed', status: 500 } as const
const webhook = { url: 'https://app.test', events: ['job.failed'] } as const

/** Every place of an instant in a job. */
const places: Readonly<Record<string, (at: number) => Partial<Job>>> = {
  createdAt: (at) => ({ createdAt: at }),
  expiresAt: (at) => ({ expiresAt: at }),
  deadlineAt: (at) => ({ deadlineAt: at }),
  startedAt: (at) => ({ startedAt: at }),
  completedAt: (at) => ({ completedAt: at }),
  cancelAskedAt: (at) => ({ cancelAskedAt: at }),
  updatedAt: (at) => ({ updatedAt: at }),
  deletedAt: (at) => ({ deletedAt: at }),
  deleteAt: (at) => ({ deleteAt: at }),
  checkedAt: (at) => ({ checkedAt: at }),
  dueAt: (at) => ({ dueAt: at }),
  earliestAt: (at) => ({ earliestAt: at }),
  claim: (at) => ({ claim: { until: at } }),
  'webhook.dueAt': (at) => ({ webhook: { ...webhook, dueAt: at } }),
  'webhook.attempts': (at) => ({
    webhook: {
      ...webhook,
      attempts: [
        { ...attempt, at: createdAt },
        { ...attempt, at },
      ],
    },
  }),
  'unknown.since': (at) => ({ unknown: { since: at, count: 1 } }),
  'setback.at': (at) => ({ setback: { why: 'busy', at } }),
}

/** What arithmetic on clocks, uptimes and delays may give. */
const oddInstants = [
  createdAt + 0.5,
  -0.1,
  createdAt / 0,
  -Infinity,
  Number.NaN,
  Number.MAX_SAFE_INTEGER + 1,
  1e300,
]

const refusesJob = { name: 'GenerationError', code: 'internal_error' }

export const instantCases: JobStoreCases = {
  'a new job with an instant that is no safe integer is refused, and nothing is stored': async ({
    store,
  }) => {
    for (const [place, withInstant] of Object.entries(places)) {
      for (const at of oddInstants) {
        const job = exampleJob({ phase: 'failed', ...withInstant(at) })
        await assert.rejects(store.insert(job), refusesJob, `${place} of ${at}`)
      }
    }
    assert.equal(await store.get('job-1'), undefined)
    await assertStored(store, await inserted(store))
  },

  'a write with an instant that is no safe integer is refused, and changes nothing': async ({ store }) => {
    const job = await inserted(store)
    for (const [place, withInstant] of Object.entries(places)) {
      for (const at of oddInstants) {
        const next = { ...job, revision: 2, attempts: 1, ...withInstant(at) }
        await assert.rejects(store.replace(next, 1), refusesJob, `${place} of ${at}`)
      }
    }
    await assertStored(store, job)
  },
}
