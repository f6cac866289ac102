import { describe, expect, test } from 'vitest'
import {
  costEntryOf,
  type CostEntry,
  type JobStore,
  usageCountsOf,
  type UsageGrouping,
  type UsageQuery,
  type UsageRow,
} from '@genmount/core'
import { jobStoreSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { referenceStore } from './reference-store.ts'

const dayMs = 24 * 60 * 60_000
const groupings: readonly UsageGrouping[] = ['owner', 'day', 'model', 'keyId']

/** What a group is sorted by. */
const placeOf = (row: Partial<Record<UsageGrouping, unknown>>) =>
  groupings.map((name) => String(row[name] ?? '').padStart(20, ' ')).join('|')

/** The sums of the entries that a query asks for, added up at each call. */
function sumsOf(entries: readonly CostEntry[], query: UsageQuery): readonly UsageRow[] {
  const rows = new Map<string, UsageRow>()
  for (const entry of entries) {
    if (query.owner !== undefined && entry.owner !== query.owner) continue
    if (entry.endedAt < query.from || entry.endedAt >= query.to) continue
    const whole = { ...entry, day: Math.floor(entry.endedAt / dayMs) * dayMs }
    const shared = groupings.filter((name) => query.groupBy.includes(name) && whole[name] !== undefined)
    const group = Object.fromEntries(shared.map((name) => [name, whole[name]]))
    const counts = usageCountsOf(entry)
    const before: Record<string, unknown> = { ...rows.get(placeOf(group)) }
    const sums = Object.entries(counts).map(([name, count]) => [name, Number(before[name] ?? 0) + count])
    const row = { ...group, ...Object.fromEntries(sums) } as UsageRow
    rows.set(placeOf(group), { ...row, seconds: Math.round(row.seconds * 1000) / 1000 })
  }
  return [...rows]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .filter(([place]) => !query.after || place > placeOf(query.after))
    .map(([, row]) => row)
    .slice(0, query.limit)
}

/**
 * The reference store with sums.
 * @param change what the store makes of the entry of each job that ends, beside the entry before. @default it replaces that
 */
function summing(
  change: (entries: Map<string, CostEntry>, entry: CostEntry) => void = (entries, entry) =>
    entries.set(entry.job, entry),
): JobStore & Required<Pick<JobStore, 'dailyUsage'>> {
  const store = referenceStore()
  const entries = new Map<string, CostEntry>()
  return {
    ...store,
    async replace(job, revision) {
      const before = await store.get(job.id)
      const outcome = await store.replace(job, revision)
      const entry = costEntryOf(job)
      const hasEnded = before?.completedAt !== undefined && before.phase !== 'running'
      if (outcome === 'replaced' && entry && !hasEnded) change(entries, entry)
      return outcome
    },
    dailyUsage: async (query) => sumsOf([...entries.values()], query),
  }
}

function asking(change: (query: UsageQuery) => UsageQuery): JobStore {
  const store = summing()
  return { ...store, dailyUsage: (query) => store.dailyUsage(change(query)) }
}

function answering(change: (row: UsageRow) => UsageRow): JobStore {
  const store = summing()
  return { ...store, dailyUsage: async (query) => (await store.dailyUsage(query)).map(change) }
}

const each =
  'the sums of a time have each job that ended in it, with its outputs, its seconds and what it cost'
const groups = 'sums are grouped by owner, day, model and key, in this order'
const pages = 'sums come in pages, each of which begins after a row of the page before'
const parts = 'sums have the jobs of a part of a day exactly'
const everywhere = 'sums of all owners and of one are the same in every grouping, range of days and page'
const again = 'a job that goes on and ends again counts on the day of its last end only'
const stay = 'sums stay when jobs are written once more or deleted, and a stale write counts nothing'
const exact = 'sums of many jobs that end at the same time are exact to a millionth of a dollar'
const cases = [each, groups, pages, parts, everywhere, again, stay, exact]

const faults: Record<string, { create: () => JobStore; fails: readonly string[] }> = {
  'counts a job again at each end': {
    create: () => summing((entries, entry) => entries.set(`${entry.job} at ${entry.endedAt}`, entry)),
    fails: [again],
  },
  'keeps the first end of a job': {
    create: () => summing((entries, entry) => entries.set(entry.job, entries.get(entry.job) ?? entry)),
    fails: [again],
  },
  'forgets the sums with the job': {
    create: () => {
      const gone = new Set<string>()
      const store = summing()
      const remove = async (id: string) => (gone.add(id), store.delete(id))
      return { ...store, delete: remove, dailyUsage: async (q) => (gone.size > 0 ? [] : store.dailyUsage(q)) }
    },
    fails: [stay],
  },
  'counts a stale write': {
    create: () => {
      const store = summing()
      let stale = 0
      return {
        ...store,
        async replace(job, revision) {
          const outcome = await store.replace(job, revision)
          if (outcome === 'stale') stale += 1
          return outcome
        },
        dailyUsage: async (query) =>
          (await store.dailyUsage(query)).map((row) => ({ ...row, jobs: row.jobs + stale })),
      }
    },
    fails: [stay],
  },
  'shows everybody the sums of all': {
    create: () => asking(({ owner: _owner, ...query }) => query),
    fails: [each, groups, everywhere],
  },
  'shows nobody the sums of all owners': {
    create: () => asking((query) => ({ ...query, owner: query.owner ?? 'alice' })),
    fails: [groups, everywhere],
  },
  'counts whole days only': {
    create: () => asking((query) => ({ ...query, from: query.from - (query.from % dayMs) })),
    fails: [parts, everywhere],
  },
  'counts the end of the time as part of the time': {
    create: () => asking((query) => ({ ...query, to: query.to + 1 })),
    fails: [groups, parts, everywhere],
  },
  'mixes the keys of an owner': {
    create: () => summing((entries, { keyId: _key, ...entry }) => entries.set(entry.job, entry)),
    fails: [groups, pages, everywhere, again],
  },
  'begins each page at the beginning': {
    create: () => {
      let asked = 0
      return asking((query) => ({ ...query, after: asked++ > 20 ? query.after : undefined }))
    },
    fails: [pages, everywhere],
  },
  'takes as many owners as a page has rows': {
    create: () => {
      const store = summing()
      return {
        ...store,
        async dailyUsage(query) {
          const rows = await store.dailyUsage({ ...query, limit: 1000 })
          const owners = [...new Set(rows.map(({ owner }) => owner))].slice(0, query.limit - 3)
          return rows.filter(({ owner }) => owners.includes(owner)).slice(0, query.limit)
        },
      }
    },
    fails: [pages, everywhere],
  },
  'forgets owners who have no rows on some days': {
    create: () =>
      asking((query) =>
        query.owner === undefined && query.groupBy.length === 3 ? { ...query, to: query.to - dayMs } : query,
      ),
    fails: [everywhere],
  },
  'forgets the jobs without a key where keys alone are groups': {
    create: () => {
      const store = summing()
      return {
        ...store,
        async dailyUsage(query) {
          const rows = await store.dailyUsage(query)
          return query.groupBy.join() === 'keyId' && query.owner === undefined
            ? rows.filter(({ keyId }) => keyId !== undefined)
            : rows
        },
      }
    },
    fails: [everywhere],
  },
  'ignores the limit': {
    create: () => asking((query) => ({ ...query, limit: 1000 })),
    fails: [pages],
  },
  'takes an unknown cost for 0': {
    create: () => answering((row) => ({ ...row, unknownCosts: 0 })),
    fails: [each],
  },
  'forgets what is reserved for unknown costs': {
    create: () => answering((row) => ({ ...row, reservedMicroUsd: 0 })),
    fails: [each],
  },
  'counts the seconds of jobs that failed': {
    create: () => answering((row) => ({ ...row, seconds: row.seconds + 4 * row.failed })),
    fails: [each],
  },
  'adds up dollars in 32 bits': {
    create: () => answering((row) => ({ ...row, spentMicroUsd: row.spentMicroUsd | 0 })),
    fails: [exact],
  },
  'rounds to cents': {
    create: () => answering((row) => ({ ...row, spentMicroUsd: Math.round(row.spentMicroUsd / 1e4) * 1e4 })),
    fails: [everywhere, exact],
  },
}

test('a store with sums that keeps the contract passes every case', async () => {
  expect(await failingCases(jobStoreSuite(() => ({ store: summing() })))).toEqual([])
})

describe('a store with sums that is broken fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { create, fails }) => {
    const suite = jobStoreSuite(() => ({ store: create() }))
    const ofUsage = Object.fromEntries(cases.map((name) => [name, suite[name]!]))
    expect(await failingCases(ofUsage)).toEqual(fails)
  })
})
