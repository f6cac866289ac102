import { describe, expect, test } from 'vitest'
import type { Job, JobQuery, JobStore } from '@genmount/core'
import { jobStoreSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { parse, type Records, referenceStore } from './reference-store.ts'

type List = (records: Records, query: JobQuery) => Job[]

const byId = (a: Job, b: Job) => (a.id < b.id ? 1 : -1)

const list: List = (records, { owner, from = '', before, limit, maxLength }) => {
  let length = 0
  return [...records.values()]
    .map(parse)
    .filter((job) => job.owner === owner && job.id >= from && (before === undefined || job.id < before))
    .toSorted(byId)
    .slice(0, limit)
    .filter((job, index) => (length += lengthOf(job)) <= maxLength || index === 0)
}

function lengthOf({ input: _task, ...job }: Job): number {
  return JSON.stringify(job).length
}

/** The reference store with a list. */
function storeWithList(broken: List = list): JobStore {
  const records: Records = new Map()
  return { ...referenceStore(records), list: async (query) => broken(records, query) }
}

const owners = 'the jobs of an owner are listed by their ids, the last one first, and no other owner’s are'
const places = 'a list begins before any id and ends at any id, whether that is a job or not'
const writes = 'jobs are listed as they are stored, in every phase and after every write'
const long = 'long jobs come in short lists, and the first one comes however long it is'
const many = 'many jobs are listed completely, in several calls'

const asking =
  (change: (query: JobQuery) => JobQuery): List =>
  (records, query) =>
    list(records, change(query))

const faults: Record<string, { list: List; fails: readonly string[] }> = {
  'lists everybody’s jobs': {
    list: (records, query) =>
      [...new Set([...records.values()].map(parse).map(({ owner }) => owner))]
        .flatMap((owner) => list(records, { ...query, owner }))
        .toSorted(byId),
    fails: [owners],
  },
  'takes owners that differ in case for one': {
    list: (records, query) =>
      ['alice', 'Alice'].includes(query.owner)
        ? ['alice', 'Alice'].flatMap((owner) => list(records, { ...query, owner })).toSorted(byId)
        : list(records, query),
    fails: [owners],
  },
  'lists the first id first': {
    list: (records, query) => list(records, query).toReversed(),
    fails: [owners, places, writes, long, many],
  },
  'sorts ids as people do': {
    list: (records, query) =>
      list(records, query).toSorted((a, b) => b.id.localeCompare(a.id, 'en', { numeric: true })),
    fails: [owners],
  },
  'gives the job at the place again': {
    list: asking((query) => ({ ...query, before: query.before && `${query.before}\0` })),
    fails: [places, long, many],
  },
  'begins every list at the end': {
    list: asking((query) => ({ ...query, before: undefined })),
    fails: [places, long, many],
  },
  'needs the job of the place': {
    list: (records, query) =>
      query.before === undefined || records.has(query.before) ? list(records, query) : [],
    fails: [places],
  },
  'leaves out the job at which the list ends': {
    list: asking((query) => ({ ...query, from: query.from && `${query.from}\0` })),
    fails: [places],
  },
  'ignores the limit': { list: asking((query) => ({ ...query, limit: 9999 })), fails: [places] },
  'leaves out expired jobs': {
    list: (records, query) => list(records, query).filter((job) => job.expiresAt > job.createdAt + 1),
    fails: [writes],
  },
  'forgets metadata': {
    list: (records, query) => list(records, query).map(({ metadata: _gone, ...job }) => job),
    fails: [writes],
  },
  'ignores the length': { list: asking((query) => ({ ...query, maxLength: 1e9 })), fails: [long] },
  'gives no job that is too long': {
    list: (records, query) => {
      const [first, ...others] = list(records, query)
      return first && lengthOf(first) <= query.maxLength ? [first, ...others] : []
    },
    fails: [long],
  },
  'shows the placeholder of a long input': {
    list: (records, query) =>
      list(records, query).map((job) => (lengthOf(job) > 10_000 ? { ...job, shownInput: {} } : job)),
    fails: [long],
  },
}

test('a store with a list that keeps the contract passes every case', async () => {
  expect(await failingCases(jobStoreSuite(() => ({ store: storeWithList() })))).toEqual([])
})

describe('a list that is broken fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { list: broken, fails }) => {
    expect(await failingCases(jobStoreSuite(() => ({ store: storeWithList(broken) })))).toEqual(fails)
  })
})
