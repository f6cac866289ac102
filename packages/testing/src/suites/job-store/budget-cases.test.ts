import { describe, expect, test } from 'vitest'
import { type JobStore, microUsdOf, reservedMicroUsdOf } from '@genmount/core'
import { jobStoreSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { storeWith, whole, type World } from './reference-budgets.ts'
import { referenceStore } from './reference-store.ts'

const counts = 'a job counts with what it reserves until it ends, and then with what it has cost'
const free = 'a job for which nothing was paid gives back what it has reserved'
const unknown = 'a job that ends with an unknown cost keeps what it has reserved, also when it is deleted'
const again = 'a job that goes on after its end counts once, and with its cost when it ends again'
const span = 'costs count from one instant on, and what is reserved in the ledger from another'
const fits = 'an insert that does not fit into the budget stores nothing'
const atOnce = 'inserts at the same time never pass the budget of their owner together'
const exact = 'sums are exact to a millionth of a dollar, and a huge cost breaks none'

const faults: Record<string, { broken: Parameters<typeof storeWith>[0]; fails: readonly string[] }> = {
  'knows only what has ended': {
    broken: (world) => whole(world, () => 0),
    fails: [counts, fits, atOnce, exact],
  },
  'counts what finished jobs have reserved': {
    broken: (world) =>
      whole(world, ({ reservedUsd = 0, costUsd }) => microUsdOf(Math.max(costUsd, reservedUsd))),
    fails: [counts, free, unknown, again, span, exact],
  },
  'counts a job that goes on twice': {
    broken: (world) => whole(world, ({ isInLedger: _no, ...job }) => reservedMicroUsdOf(job)),
    fails: [again],
  },
  'forgets what was reserved when a job ends': {
    broken: (_world, { spending }) => ({
      spending: async (owner, spans) =>
        spending(
          owner,
          spans.map((one) => ({ ...one, from: 1e15 })),
        ),
    }),
    fails: [unknown, again, span],
  },
  'forgets the ledger with the job': {
    broken: ({ records, ledger }) => ({
      delete: async (id) => void (records.delete(id), ledger.delete(id)),
    }),
    fails: [counts, unknown],
  },
  'adds up the whole ledger': {
    broken: (_world, { spending }) => ({ spending: (owner) => spending(owner, [{ from: 0, costsFrom: 0 }]) }),
    fails: [span],
  },
  'adds up both from the same instant': {
    broken: (_world, { spending }) => ({
      spending: (owner, spans) =>
        spending(
          owner,
          spans.map((one) => ({ ...one, from: one.costsFrom })),
        ),
    }),
    fails: [span],
  },
  'ignores the budget': {
    broken: ({ records }) => ({ insert: (job) => referenceStore(records).insert(job) }),
    fails: [fits, atOnce],
  },
  'refuses a repeated request': {
    broken: (_world, { insert, spending }) => ({
      async insert(job, most, budgets) {
        const [budget] = budgets ?? []
        if (!budget) return insert(job, most)
        const [sums] = await spending(job.owner, [budget])
        const taken = sums!.spentMicroUsd + sums!.reservedMicroUsd
        return taken + reservedMicroUsdOf(job) > budget.mostMicroUsd
          ? { outcome: 'over_budget', takenMicroUsd: [taken] }
          : insert(job, most, budgets)
      },
    }),
    fails: [fits],
  },
  'adds up dollars in 32 bits': {
    broken: (_world, { spending }) => ({
      async spending(owner, since) {
        const all = await spending(owner, since)
        return all.map((sums) => ({ ...sums, spentMicroUsd: sums.spentMicroUsd | 0 }))
      },
    }),
    fails: [exact],
  },
  'rounds to cents': {
    broken: (_world, { spending }) => ({
      async spending(owner, since) {
        const all = await spending(owner, since)
        return all.map((sums) => ({ ...sums, spentMicroUsd: Math.round(sums.spentMicroUsd / 1e4) * 1e4 }))
      },
    }),
    fails: [exact],
  },
}

test('a store with budgets that keeps the contract passes every case', async () => {
  expect(await failingCases(budgetsOf(() => storeWith()))).toEqual([])
})

describe('a store with budgets that is broken fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { broken, fails }) => {
    expect(await failingCases(budgetsOf(() => storeWith(broken)))).toEqual(fails)
  })
})

test('a store that adds up before it inserts lets inserts at the same time pass the budget', async () => {
  const world = (): JobStore => {
    const one: World = { records: new Map(), ledger: new Map(), grants: new Map() }
    return { ...referenceStore(one.records), ...whole(one) }
  }
  expect(await failingCases(budgetsOf(world))).toEqual([atOnce])
})

/** The cases of the suite about budgets. */
function budgetsOf(create: () => JobStore) {
  const suite = jobStoreSuite(() => ({ store: create() }))
  const names = [counts, free, unknown, again, span, fits, atOnce, exact]
  return Object.fromEntries(names.map((name) => [name, suite[name]!]))
}
