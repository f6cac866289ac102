import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import { parse } from './reference-store.ts'
import { casesThatCatch, type StoreFault } from './store-fault.ts'

/** Mistakes of a store that keeps tasks apart from their jobs. */
const faults: Record<string, StoreFault> = {
  'writes a task once and never again': {
    damage: (store) => {
      const tasks = new Map<string, Job['task']>()
      const withFirst = (job: Job): Job => {
        const { task: _later, ...rest } = job
        const task = tasks.get(job.id)
        return job.task && task ? { ...rest, task } : job
      }
      return {
        async insert(job) {
          tasks.set(job.id, job.task)
          return store.insert(job)
        },
        replace: (job, expectedRevision) => store.replace(withFirst(job), expectedRevision),
      }
    },
    fails: [
      'a task that a write changes, removes or brings follows the job',
      'jobs that share a task each keep it',
    ],
  },
  'keeps a task that several jobs have once, and changes it for all': {
    damage: (store, records) => ({
      async replace(job, expectedRevision) {
        const before = (await store.get(job.id))?.task
        const outcome = await store.replace(job, expectedRevision)
        if (outcome === 'stale' || !before || !job.task) return outcome
        for (const [id, record] of records) {
          const { task, ...rest } = parse(record)
          if (isDeepStrictEqual(task, before)) records.set(id, JSON.stringify({ ...rest, task: job.task }))
        }
        return outcome
      },
    }),
    fails: ['jobs that share a task each keep it'],
  },
  'remembers tasks by the id of their job, deleted or not': {
    damage: (store) => {
      const tasks = new Map<string, Job['task']>()
      return {
        async get(id) {
          const job = await store.get(id)
          if (!job?.task) return job
          const task = tasks.get(id) ?? job.task
          tasks.set(id, task)
          return { ...job, task }
        },
        async insert(job) {
          if (job.task && !tasks.has(job.id)) tasks.set(job.id, job.task)
          return store.insert(job)
        },
        async replace(job, expectedRevision) {
          const outcome = await store.replace(job, expectedRevision)
          if (outcome === 'replaced') tasks.set(job.id, job.task)
          return outcome
        },
      }
    },
    fails: [
      'a job that takes a deleted one’s id has its own task',
      'changing a job that went in or came out does not change the stored one',
    ],
  },
}

describe('a store with a fault fails exactly the cases that name it: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, fault) => {
    expect(await casesThatCatch(fault)).toEqual(fault.fails)
  })
})
