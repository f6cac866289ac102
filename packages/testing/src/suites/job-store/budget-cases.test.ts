import { describe, expect, test } from 'vitest'
import {
  costEntryOf,
  type CostEntry,
  type Job,
  type JobStore,
  microUsdOf,
  reservedMicroUsdOf,
  type SpendingSpan,
} from '@genmount/core'
import { jobStoreSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { parse, type Records, referenceStore } from './reference-store.ts'

interface World {
  readonly records: Records
  readonly ledger: Map<string, CostEntry>
}

type Methods = Required<Pick<JobStore, 'insert' | 'replace' | 'costs' | 'spending'>>

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
const jobsOf = ({ records }: World, owner: string) =>
  [...records.values()].map(parse).filter((job) => job.owner === owner)
const entriesOf = ({ ledger }: World, owner: string, from: number) =>
  [...ledger.values()].filter((entry) => entry.owner === owner && entry.endedAt >= from)

function whole(world: World, reservedOf: (job: Job) => number = reservedMicroUsdOf): Methods {
  const { records, ledger } = world
  const store = referenceStore(records)
  async function spending(owner: string, { from, costsFrom }: SpendingSpan) {
    const unknown = entriesOf(world, owner, from).map(({ reservedUsd = 0 }) => microUsdOf(reservedUsd))
    return {
      spentMicroUsd: sum(entriesOf(world, owner, costsFrom).map(({ costUsd = 0 }) => microUsdOf(costUsd))),
      reservedMicroUsd: sum(unknown) + sum(jobsOf(world, owner).map(reservedOf)),
    }
  }
  return {
    spending,
    async insert(job, _maxUnfinished, budget) {
      const holder = job.idempotency && (await store.findByIdempotencyKey(job.idempotency.key, job.createdAt))
      if (!budget || holder) return store.insert(job)
      const { spentMicroUsd, reservedMicroUsd } = await spending(job.owner, budget)
      const takenMicroUsd = spentMicroUsd + reservedMicroUsd
      if (takenMicroUsd + reservedOf(job) > budget.mostMicroUsd)
        return { outcome: 'over_budget', takenMicroUsd }
      return store.insert(job)
    },
    async replace(job, revision) {
      const outcome = await store.replace(job, revision)
      const entry = costEntryOf(job)
      if (outcome === 'replaced' && entry) ledger.set(job.id, entry)
      return outcome
    },
    costs: async ({ from, owner }) => entriesOf(world, owner ?? 'alice', from),
  }
}

/** Runs one call after the other, as a store does that inserts in one step. */
function oneByOne(store: JobStore): JobStore {
  let latest: Promise<unknown> = Promise.resolve()
  return {
    ...store,
    insert(...created) {
      const inserted = latest.then(() => store.insert(...created))
      latest = inserted.catch(() => {})
      return inserted
    },
  }
}

/** The reference store with budgets, some methods broken. */
function storeWith(broken: (world: World, methods: Methods) => Partial<JobStore> = () => ({})): JobStore {
  const world: World = { records: new Map(), ledger: new Map() }
  const methods = whole(world)
  return oneByOne({ ...referenceStore(world.records), ...methods, ...broken(world, methods) })
}

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
      spending: async (owner, { costsFrom }) => spending(owner, { costsFrom, from: 1e15 }),
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
    broken: (_world, { spending }) => ({ spending: (owner) => spending(owner, { from: 0, costsFrom: 0 }) }),
    fails: [span],
  },
  'adds up both from the same instant': {
    broken: (_world, { spending }) => ({
      spending: (owner, { costsFrom }) => spending(owner, { from: costsFrom, costsFrom }),
    }),
    fails: [span],
  },
  'ignores the budget': {
    broken: ({ records }) => ({ insert: (job) => referenceStore(records).insert(job) }),
    fails: [fits, atOnce],
  },
  'refuses a repeated request': {
    broken: (_world, { insert, spending }) => ({
      async insert(job, most, budget) {
        if (!budget) return insert(job, most)
        const { spentMicroUsd, reservedMicroUsd } = await spending(job.owner, budget)
        const takenMicroUsd = spentMicroUsd + reservedMicroUsd
        return takenMicroUsd + reservedMicroUsdOf(job) > budget.mostMicroUsd
          ? { outcome: 'over_budget', takenMicroUsd }
          : insert(job, most, budget)
      },
    }),
    fails: [fits],
  },
  'adds up dollars in 32 bits': {
    broken: (_world, { spending }) => ({
      async spending(owner, since) {
        const sums = await spending(owner, since)
        return { ...sums, spentMicroUsd: sums.spentMicroUsd | 0 }
      },
    }),
    fails: [exact],
  },
  'rounds to cents': {
    broken: (_world, { spending }) => ({
      async spending(owner, since) {
        const sums = await spending(owner, since)
        return { ...sums, spentMicroUsd: Math.round(sums.spentMicroUsd / 1e4) * 1e4 }
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
    const one: World = { records: new Map(), ledger: new Map() }
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
