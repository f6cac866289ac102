import { describe, expect, test } from 'vitest'
import type { AuditEntry, AuditQuery, JobStore } from '@genmount/core'
import { jobStoreSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { referenceStore } from './reference-store.ts'

type Log = Required<Pick<JobStore, 'audit' | 'auditEntries' | 'delete'>>

/** Whether an entry comes before another one: the later first. */
const compare = (a: Pick<AuditEntry, 'at' | 'id'>, b: Pick<AuditEntry, 'at' | 'id'>) =>
  b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

const select = (entries: readonly AuditEntry[], { job, after, limit }: AuditQuery) =>
  entries
    .filter((entry) => (job === undefined || entry.job === job) && (!after || compare(entry, after) > 0))
    .toSorted(compare)
    .slice(0, limit)

/** The reference store with an audit log. @param damage makes broken methods, from the entries as JSON by their ids */
function storeWithLog(
  damage: (log: Log, entries: Map<string, string>) => Partial<Log> = () => ({}),
): JobStore {
  const entries = new Map<string, string>()
  const store = referenceStore()
  const log: Log = {
    audit: async (entry) => void entries.set(entry.id, JSON.stringify(entry)),
    auditEntries: async (query) =>
      select(
        [...entries.values()].map((entry) => JSON.parse(entry) as AuditEntry),
        query,
      ),
    delete: store.delete,
  }
  return { ...store, ...log, ...damage(log, entries) }
}

const texts = 'an entry of the audit log comes back as it was written, whatever its texts are'
const pages = 'the audit log is read from the latest entry on, in pages, of one job and of all'
const again = 'an entry that is written again takes the place of the first one'
const outlives = 'the audit log outlives the jobs'
const changed = 'changing an entry that went in or came out does not change the stored one'

const faults: Record<
  string,
  { damage: NonNullable<Parameters<typeof storeWithLog>[0]>; fails: readonly string[] }
> = {
  'replaces lone surrogates': {
    damage: ({ audit }) => ({ audit: (entry) => audit({ ...entry, why: entry.why.toWellFormed() }) }),
    fails: [texts],
  },
  'forgets the owner': {
    damage: ({ audit }) => ({ audit: ({ owner: _gone, ...entry }) => audit(entry) }),
    fails: [texts],
  },
  'reads the earliest entry first': {
    damage: ({ auditEntries }) => ({
      auditEntries: async (query) => (await auditEntries(query)).toReversed(),
    }),
    fails: [texts, pages, again],
  },
  'gives the entry at the place again': {
    damage: ({ auditEntries }) => ({
      auditEntries: ({ after, ...query }) =>
        auditEntries({ ...query, ...(after && { after: { ...after, id: `${after.id}\0` } }) }),
    }),
    fails: [pages],
  },
  'begins every page at the latest entry': {
    damage: ({ auditEntries }) => ({ auditEntries: ({ after: _gone, ...query }) => auditEntries(query) }),
    fails: [pages],
  },
  'ignores the limit': {
    damage: ({ auditEntries }) => ({ auditEntries: (query) => auditEntries({ ...query, limit: 99 }) }),
    fails: [pages],
  },
  'ignores the job': {
    damage: ({ auditEntries }) => ({ auditEntries: ({ job: _gone, ...query }) => auditEntries(query) }),
    fails: [texts, pages],
  },
  'keeps the first of two entries with the same id': {
    damage: ({ audit }, entries) => ({
      audit: async (entry) => (entries.has(entry.id) ? undefined : audit(entry)),
    }),
    fails: [again],
  },
  'keeps both of two entries with the same id': {
    damage: ({ audit, auditEntries }) => {
      const both: AuditEntry[] = []
      return {
        audit: async (entry) => {
          both.push(structuredClone(entry))
          await audit(entry)
        },
        auditEntries: async (query) =>
          both.length > 2 && both.length < 4 ? select(both, query) : auditEntries(query),
      }
    },
    fails: [again],
  },
  'deletes the entries of a job with it': {
    damage: (log, entries) => ({
      delete: async (id, expectedRevision) => {
        for (const [key, entry] of entries) if (JSON.parse(entry).job === id) entries.delete(key)
        await log.delete(id, expectedRevision)
      },
    }),
    fails: [outlives],
  },
  'keeps the object of the caller': {
    damage: () => {
      const own = new Map<string, AuditEntry>()
      return {
        audit: async (entry) => void own.set(entry.id, entry),
        auditEntries: async (query) => select([...own.values()], query),
      }
    },
    fails: [changed],
  },
}

test('a store with an audit log that keeps the contract passes every case', async () => {
  expect(await failingCases(jobStoreSuite(() => ({ store: storeWithLog() })))).toEqual([])
})

describe('an audit log that is broken fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { damage, fails }) => {
    expect(await failingCases(jobStoreSuite(() => ({ store: storeWithLog(damage) })))).toEqual(fails)
  })
})
