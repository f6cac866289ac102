import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import { parse } from './reference-store.ts'
import { casesThatCatch, type StoreFault } from './store-fault.ts'

/** Mistakes of a store that keeps tasks apart from their jobs. */
const faults: Record<string, StoreFault> = {
  'keeps the task of a failed job': {
    damage: (store) => {
      const tasks = new Map<string, Job['input']>()
      return {
        async insert(job) {
          tasks.set(job.id, job.input)
          return store.insert(job)
        },
        async get(id) {
          const job = await store.get(id)
          const task = tasks.get(id)
          return job?.error && task ? { ...job, input: task } : job
        },
      }
    },
    fails: [
      'a finished job comes back with its outputs, its cost and its error',
      'a job that has failed and may go on keeps its task, and one that can not loses it',
    ],
  },
  'removes the task of each failed job': {
    damage: (store) => ({
      async replace(job, expectedRevision) {
        const { input: _removed, ...rest } = job
        return store.replace(job.phase === 'failed' ? rest : job, expectedRevision)
      },
    }),
    fails: ['a job that has failed and may go on keeps its task, and one that can not loses it'],
  },
  'takes the inputs of the caller for those of the job': {
    damage: (store) => ({
      async get(id, owner, inputs) {
        const job = await store.get(id, owner)
        return job && { ...job, ...inputs }
      },
    }),
    fails: ['a read for which the caller has the inputs of the job gives the whole job'],
  },
  'keeps a task that several jobs have once, and removes it from all': {
    damage: (store, records) => ({
      async replace(job, expectedRevision) {
        const before = (await store.get(job.id))?.input
        const outcome = await store.replace(job, expectedRevision)
        if (outcome === 'stale' || !before || job.input) return outcome
        for (const [id, record] of records) {
          const { input, ...rest } = parse(record)
          if (isDeepStrictEqual(input, before)) records.set(id, JSON.stringify(rest))
        }
        return outcome
      },
    }),
    fails: ['jobs that share a task each keep it', 'a processing job outlives a flood of finished ones'],
  },
  'remembers tasks by the id of their job, deleted or not': {
    damage: (store) => {
      const tasks = new Map<string, Job['input']>()
      return {
        async get(id) {
          const job = await store.get(id)
          if (!job?.input) return job
          const task = tasks.get(id) ?? job.input
          tasks.set(id, task)
          return { ...job, input: task }
        },
        async insert(job) {
          if (job.input && !tasks.has(job.id)) tasks.set(job.id, job.input)
          return store.insert(job)
        },
        async replace(job, expectedRevision) {
          const outcome = await store.replace(job, expectedRevision)
          if (outcome === 'replaced') tasks.set(job.id, job.input)
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
