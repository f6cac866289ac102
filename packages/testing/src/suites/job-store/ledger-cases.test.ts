import { describe, expect, test } from 'vitest'
import { costEntryOf, type CostEntry, type CostQuery, type JobStore } from '@genmount/core'
import { jobStoreSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { referenceStore } from './reference-store.ts'

type Ledger = CostEntry[]

const isAsked = ({ owner, from, to }: CostQuery, entry: CostEntry) =>
  (owner === undefined || entry.owner === owner) && entry.endedAt >= from && entry.endedAt < to

const inOrder = (a: Pick<CostEntry, 'job' | 'endedAt'>, b: Pick<CostEntry, 'job' | 'endedAt'>) =>
  a.endedAt - b.endedAt || (a.job < b.job ? -1 : a.job === b.job ? 0 : 1)

/** The reference store with a ledger. */
function storeWithLedger(ledger: Ledger = []): JobStore {
  const store = referenceStore()
  return {
    ...store,
    async replace(job, revision) {
      const outcome = await store.replace(job, revision)
      const entry = costEntryOf(job)
      const known = ledger.findIndex((other) => other.job === job.id)
      if (outcome === 'replaced' && entry) ledger.splice(known < 0 ? ledger.length : known, 1, entry)
      return outcome
    },
    async costs(query) {
      const { after, limit } = query
      const found = ledger.filter((entry) => isAsked(query, entry)).toSorted(inOrder)
      return found.filter((entry) => !after || inOrder(after, entry) < 0).slice(0, limit)
    },
  }
}

const once = 'a job that finishes has one entry of costs, which stays when the job is deleted'
const unknown = 'a cost that nobody knows is absent, and is not 0'
const stale = 'a write that is stale leaves no entry of costs'
const again = 'a job that goes on and finishes again has the entry of its last end only'
const pages = 'costs are read by owner and time, in pages, in the order of the ends'
const everybody = 'costs without an owner are those of all owners, in pages, in the order of the ends'
const outputs = 'an entry of costs has the number of the outputs, which is 0 for a job that failed'

const faults: Record<string, { create: () => JobStore; fails: readonly string[] }> = {
  'forgets the cost with the job': {
    create: () => {
      const ledger: Ledger = []
      const store = storeWithLedger(ledger)
      const forget = (id: string) =>
        ledger.splice(0, ledger.length, ...ledger.filter(({ job }) => job !== id))
      return { ...store, delete: async (id, revision) => void (await store.delete(id, revision), forget(id)) }
    },
    fails: [once],
  },
  'adds an entry for each write to a finished job': {
    create: () => {
      const ledger: Ledger = []
      const store = storeWithLedger([])
      return {
        ...store,
        async replace(job, revision) {
          const outcome = await store.replace(job, revision)
          const entry = outcome === 'replaced' && costEntryOf(job)
          if (entry) ledger.push(entry)
          return outcome
        },
        async costs(query) {
          const found = ledger.filter((entry) => isAsked(query, entry)).toSorted(inOrder)
          return found
            .filter((entry) => !query.after || inOrder(query.after, entry) < 0)
            .slice(0, query.limit)
        },
      }
    },
    fails: [once, again],
  },
  'writes the cost before it knows whether the write counts': {
    create: () => {
      const ledger: Ledger = []
      const store = storeWithLedger(ledger)
      return {
        ...store,
        async replace(job, revision) {
          const outcome = await store.replace(job, revision)
          const entry = costEntryOf(job)
          if (outcome === 'stale' && entry) ledger.push(entry)
          return outcome
        },
      }
    },
    fails: [stale],
  },
  'takes a cost that nobody knows for 0': {
    create: () => answering((entries) => entries.map((entry) => ({ costUsd: 0, ...entry }))),
    fails: [unknown],
  },
  'shows everybody every cost': {
    create: () => asking(({ owner: _owner, ...query }) => query),
    fails: [pages],
  },
  'shows nobody the costs of all owners': {
    create: () => asking((query) => ({ ...query, owner: query.owner ?? 'alice' })),
    fails: [everybody],
  },
  'counts the outputs of a job that failed': {
    create: () => answering((entries) => entries.map((entry) => ({ ...entry, outputs: 2 }))),
    fails: [once, outputs, again],
  },
  'counts the end of the time as part of the time': {
    create: () => asking((query) => ({ ...query, to: query.to + 1 })),
    fails: [pages, everybody],
  },
  'begins each page at the beginning': {
    create: () => asking((query) => ({ ...query, after: undefined })),
    fails: [pages, everybody],
  },
  'ignores the limit': {
    create: () => asking((query) => ({ ...query, limit: 1000 })),
    fails: [pages, everybody],
  },
}

function asking(change: (query: CostQuery) => CostQuery): JobStore {
  const store = storeWithLedger()
  return { ...store, costs: async (query) => store.costs!(change(query)) }
}

function answering(change: (entries: readonly CostEntry[]) => readonly CostEntry[]): JobStore {
  const store = storeWithLedger()
  return { ...store, costs: async (query) => change(await store.costs!(query)) }
}

test('a store with a ledger that keeps the contract passes every case', async () => {
  expect(await failingCases(jobStoreSuite(() => ({ store: storeWithLedger() })))).toEqual([])
})

describe('a ledger that is broken fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { create, fails }) => {
    expect(await failingCases(jobStoreSuite(() => ({ store: create() })))).toEqual(fails)
  })
})
