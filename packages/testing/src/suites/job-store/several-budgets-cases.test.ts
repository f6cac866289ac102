import { describe, expect, test } from 'vitest'
import type { JobStore, SpendingSpan } from '@genmount/core'
import { jobStoreSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { storeWith, whole, type World } from './reference-budgets.ts'
import { parse, referenceStore } from './reference-store.ts'

const each = 'a job must fit into each of its budgets, and learns what is taken of each'
const ofKey = 'a budget of a key counts the jobs of this key and owner alone, before and after their end'
const more =
  'a replace that reserves more stores nothing when the job does not fit, and does not count the job twice'
const moreAtOnce = 'jobs that reserve more at the same time never pass the budget of their owner together'
const grants = 'a grant adds to the balance of its owner once, and less than 0 takes from it'
const pages = 'grants are listed by their instants and ids, in pages, of one owner and of all'
const grantsAtOnce = 'grants and inserts at the same time never let an owner pass the balance'
const all = [each, ofKey, more, moreAtOnce, grants, pages, grantsAtOnce]

const faults: Record<string, { broken: Parameters<typeof storeWith>[0]; fails: readonly string[] }> = {
  'knows one budget': {
    broken: (_world, { insert }) => ({
      insert: (job, most, budgets) => insert(job, most, budgets?.slice(0, 1)),
    }),
    fails: [each],
  },
  'adds up all keys': {
    broken: (_world, { spending, insert }) => ({
      spending: (owner, spans) => spending(owner, spans.map(ofNoKey)),
      insert: (job, most, budgets) => insert(job, most, budgets?.map(ofNoKey)),
    }),
    fails: [ofKey],
  },
  'takes the keys of all owners together': {
    broken: ({ records }, { spending }) => ({
      async spending(owner, spans) {
        const owners = [...new Set([...records.values()].map((record) => parse(record).owner))]
        const sums = await spending(owner, spans)
        const ofAll = await Promise.all(owners.map((one) => spending(one, spans)))
        return sums.map((own, at) => {
          const reservedMicroUsd = ofAll.reduce((total, each) => total + each[at]!.reservedMicroUsd, 0)
          return spans[at]!.keyId === undefined ? own : { ...own, reservedMicroUsd }
        })
      },
    }),
    fails: [ofKey],
  },
  'ignores the budgets of a replace': {
    broken: (_world, { replace }) => ({ replace: (job, revision) => replace(job, revision) }),
    fails: [more, moreAtOnce],
  },
  'counts a job that reserves more twice': {
    broken: (_world, { replace, spending }) => ({
      async replace(job, revision, budgets) {
        const [sums] = budgets ? await spending(job.owner, budgets) : []
        const taken = (sums?.reservedMicroUsd ?? 0) + (job.reservedUsd ?? 0) * 1e6
        return budgets && taken > budgets[0]!.mostMicroUsd
          ? { outcome: 'over_budget', takenMicroUsd: [sums!.reservedMicroUsd] }
          : replace(job, revision)
      },
    }),
    fails: [more, moreAtOnce],
  },
  'makes a grant again': {
    broken: ({ grants: kept }) => ({
      async grant(grant) {
        kept.set(grant.id, grant)
        return grant
      },
    }),
    fails: [grants],
  },
  'adds grants to every budget': {
    broken: (_world, { spending }) => ({
      spending: (owner, spans) => spending(owner, spans.map(withGrants)),
    }),
    fails: [grants],
  },
  'takes no grants into account': {
    broken: (_world, { insert }) => ({
      insert: (job, most, budgets) =>
        insert(
          job,
          most,
          budgets?.map((one) => ({ ...one, hasGrants: false })),
        ),
    }),
    fails: [grants],
  },
  'lists the grants of all owners': {
    broken: (_world, { grants: list }) => ({ grants: ({ owner: _all, ...query }) => list(query) }),
    fails: [pages],
  },
  'begins each page anew': {
    broken: (_world, { grants: list }) => ({ grants: ({ after: _place, ...query }) => list(query) }),
    fails: [pages],
  },
}

function ofNoKey<Span extends SpendingSpan>({ keyId: _no, ...span }: Span): Omit<Span, 'keyId'> {
  return span
}

function withGrants<Span extends SpendingSpan>(span: Span): Span {
  return { ...span, hasGrants: true }
}

test('a store with several budgets that keeps the contract passes every case', async () => {
  expect(await failingCases(casesOf(() => storeWith()))).toEqual([])
})

describe('a store with several budgets that is broken fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { broken, fails }) => {
    expect(await failingCases(casesOf(() => storeWith(broken)))).toEqual(fails)
  })
})

test('a store that adds up before it writes lets jobs that reserve more at the same time pass the budget', async () => {
  const store = (): JobStore => {
    const world: World = { records: new Map(), ledger: new Map(), grants: new Map() }
    const methods = whole(world)
    return {
      ...referenceStore(world.records),
      ...methods,
      async replace(job, revision, budgets) {
        const [sums] = budgets ? await methods.spending(job.owner, budgets) : []
        await Promise.resolve()
        const isOver = budgets && sums!.reservedMicroUsd + 1e6 > budgets[0]!.mostMicroUsd
        return isOver ? { outcome: 'over_budget', takenMicroUsd: [0] } : methods.replace(job, revision)
      },
    }
  }
  expect(await failingCases(casesOf(store))).toContain(moreAtOnce)
})

/** The cases of the suite about several budgets. */
function casesOf(create: () => JobStore) {
  const suite = jobStoreSuite(() => ({ store: create() }))
  return Object.fromEntries(all.map((name) => [name, suite[name]!]))
}
