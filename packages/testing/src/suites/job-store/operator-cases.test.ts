import { describe, expect, test } from 'vitest'
import { type AllJobsQuery, type Job, type JobStore, taskIdOf } from '@genmount/core'
import { jobStoreSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { isFinished, parse, type Records, referenceStore } from './reference-store.ts'

type List = (records: Records, query: AllJobsQuery) => Job[]
type Find = (records: Records, taskId: string, limit: number) => string[]

const isIn = ({ phase, dueAt }: Pick<Job, 'phase' | 'dueAt'>, state: AllJobsQuery['state']) => {
  const isOver = phase === 'completed' || phase === 'failed'
  if (state === 'owing') return isOver && dueAt !== undefined
  return state === 'unfinished' ? !isOver : state === undefined || state === phase
}

const list: List = (records, { state, from = '', before, limit, maxLength }) => {
  let length = 0
  return [...records.values()]
    .map(parse)
    .filter((job) => isIn(job, state) && job.id >= from && (before === undefined || job.id < before))
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit)
    .filter((job, index) => (length += lengthOf(job)) <= maxLength || index === 0)
}

const jobsOf = (records: Records) => [...records.values()].map(parse)
const idsOf = (jobs: readonly Job[], limit: number) => jobs.slice(0, limit).map(({ id }) => id)

const find: Find = (records, taskId, limit) =>
  idsOf(
    jobsOf(records).filter((job) => taskIdOf(job) === taskId),
    limit,
  )

function lengthOf({ input: _task, ...job }: Job): number {
  return JSON.stringify(job).length
}

/** The reference store, with what operators need. */
function storeWith(broken: { readonly list?: List; readonly find?: Find } = {}): JobStore {
  const records: Records = new Map()
  return {
    ...referenceStore(records),
    listAll: async (query) => (broken.list ?? list)(records, query),
    findByTaskId: async (taskId, limit) => (broken.find ?? find)(records, taskId, limit),
  }
}

const all = 'the jobs of all owners are listed by their ids, the last one first, and come as they are stored'
const places =
  'a list of all owners begins before any id, ends at any id, and has no more jobs than asked for'
const states = 'jobs are listed by their state, which follows every write'
const long = 'long jobs of all owners come in short lists, and the first one comes however long it is'
const task = 'a job is found by the id of its task, in every phase, until it is deleted or has another task'
const alike = 'ids of tasks that look alike are different ids, and only a text is one'

const asking =
  (change: (query: AllJobsQuery) => AllJobsQuery): List =>
  (records, query) =>
    list(records, change(query))

const finding =
  (isTask: (job: Job, taskId: string) => boolean): Find =>
  (records, taskId, limit) =>
    idsOf(
      jobsOf(records).filter((job) => isTask(job, taskId)),
      limit,
    )

const faults: Record<string, { list?: List; find?: Find; fails: readonly string[] }> = {
  'lists the jobs of one owner': {
    list: (records, query) => list(records, query).filter(({ owner }) => owner !== 'mallory'),
    fails: [all, states],
  },
  'leaves out expired jobs': {
    list: (records, query) => list(records, query).filter((job) => job.expiresAt > job.createdAt + 1),
    fails: [all],
  },
  'lists the first id first': {
    list: (records, query) => list(records, query).toReversed(),
    fails: [all, places, states, long],
  },
  'begins every list at the end': {
    list: asking((query) => ({ ...query, before: undefined })),
    fails: [places, states, long],
  },
  'needs the job of the place': {
    list: (records, query) =>
      query.before === undefined || records.has(query.before) ? list(records, query) : [],
    fails: [places],
  },
  'ignores the first id': { list: asking((query) => ({ ...query, from: undefined })), fails: [places] },
  'ignores the limit': { list: asking((query) => ({ ...query, limit: 9999 })), fails: [places] },
  'ignores the state': {
    list: asking((query) => ({ ...query, state: undefined })),
    fails: [places, states],
  },
  'takes finished jobs with a step left for unfinished ones': {
    list: (records, query) =>
      query.state === 'unfinished'
        ? list(records, { ...query, state: undefined }).filter(
            (job) => !isFinished(job) || job.dueAt !== undefined,
          )
        : list(records, query),
    fails: [states],
  },
  'takes unfinished jobs with a step left for owing ones': {
    list: (records, query) =>
      query.state === 'owing'
        ? list(records, { ...query, state: undefined }).filter((job) => job.dueAt !== undefined)
        : list(records, query),
    fails: [states],
  },
  'ignores the length': { list: asking((query) => ({ ...query, maxLength: 1e9 })), fails: [long] },
  'shows the placeholder of a long input': {
    list: (records, query) =>
      list(records, query).map((job) => (lengthOf(job) > 10_000 ? { ...job, shownInput: {} } : job)),
    fails: [long],
  },
  'finds finished jobs only': {
    find: finding((job, taskId) => isFinished(job) && taskIdOf(job) === taskId),
    fails: [task, alike],
  },
  'finds unfinished jobs only': {
    find: finding((job, taskId) => !isFinished(job) && taskIdOf(job) === taskId),
    fails: [task, alike],
  },
  'finds a handle that is a text only': {
    find: finding(({ handle }, taskId) => handle === taskId),
    fails: [task],
  },
  'finds more than it was asked for': {
    find: (records, taskId) => find(records, taskId, 99),
    fails: [task],
  },
  'takes numbers for texts': {
    find: finding(({ handle }, taskId) => {
      const id = typeof handle === 'object' && handle !== null && 'id' in handle ? handle['id'] : handle
      return typeof id !== 'object' && String(id) === taskId
    }),
    fails: [alike],
  },
  'ignores case and blanks': {
    find: finding((job, taskId) => taskIdOf(job)?.trim().toLowerCase() === taskId.trim().toLowerCase()),
    fails: [alike],
  },
  'replaces lone surrogates': {
    find: finding((job, taskId) => taskIdOf(job)?.toWellFormed() === taskId.toWellFormed()),
    fails: [alike],
  },
}

test('a store that operators can look through, and that keeps the contract, passes every case', async () => {
  expect(await failingCases(jobStoreSuite(() => ({ store: storeWith() })))).toEqual([])
})

describe('a store that shows operators the wrong jobs fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { fails, ...broken }) => {
    expect(await failingCases(jobStoreSuite(() => ({ store: storeWith(broken) })))).toEqual(fails)
  })
})
