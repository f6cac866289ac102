import {
  costEntryOf,
  type CostEntry,
  type Grant,
  type InsertOutcome,
  type Job,
  type JobStore,
  microUsdOf,
  reservedMicroUsdOf,
  type SpendingBudget,
  type SpendingSpan,
  type SpendingSums,
} from '@genmount/core'
import { parse, type Records, referenceStore } from './reference-store.ts'

/** What a reference store with budgets keeps. */
export interface World {
  readonly records: Records
  readonly ledger: Map<string, CostEntry>
  readonly grants: Map<string, Grant>
}

export type Methods = Required<
  Pick<JobStore, 'insert' | 'replace' | 'costs' | 'grant' | 'grants' | 'spending'>
>

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
const isOf = ({ keyId }: SpendingSpan, one: Pick<Job, 'keyId'>) => keyId === undefined || one.keyId === keyId
const jobsOf = ({ records }: World, owner: string) =>
  [...records.values()].map(parse).filter((job) => job.owner === owner)
const entriesOf = ({ ledger }: World, owner: string, from: number) =>
  [...ledger.values()].filter((entry) => entry.owner === owner && entry.endedAt >= from)
const placeOf = ({ grantedAt, id }: Pick<Grant, 'grantedAt' | 'id'>) => `${grantedAt} ${id}`

/** The methods of a store with budgets. @param reservedOf what an unfinished job counts, in millionths of a US dollar */
export function whole(world: World, reservedOf: (job: Job) => number = reservedMicroUsdOf): Methods {
  const { records, ledger, grants } = world
  const store = referenceStore(records)
  const grantsOf = (owner?: string) =>
    [...grants.values()].filter((one) => (owner ?? one.owner) === one.owner)

  function sumsOf(owner: string, span: SpendingSpan): SpendingSums {
    const { from, costsFrom, hasGrants } = span
    const [unknown, spent] = [from, costsFrom].map((instant) =>
      entriesOf(world, owner, instant).filter((entry) => isOf(span, entry)),
    ) as [CostEntry[], CostEntry[]]
    const reserved = jobsOf(world, owner).filter((job) => isOf(span, job))
    return {
      spentMicroUsd: sum(spent.map(({ costUsd = 0 }) => microUsdOf(costUsd))),
      reservedMicroUsd:
        sum(unknown.map(({ reservedUsd = 0 }) => microUsdOf(reservedUsd))) + sum(reserved.map(reservedOf)),
      grantedMicroUsd: hasGrants ? sum(grantsOf(owner).map(({ usd }) => Math.round(usd * 1e6))) : 0,
    }
  }

  async function room(job: Job, budgets: readonly SpendingBudget[], before?: Job) {
    // As a database that does not answer at once.
    await Promise.resolve()
    const taken = budgets.map((budget) => {
      const { spentMicroUsd, reservedMicroUsd, grantedMicroUsd } = sumsOf(job.owner, budget)
      return spentMicroUsd + reservedMicroUsd - grantedMicroUsd - (before ? reservedOf(before) : 0)
    })
    const isLeft = budgets.every(({ mostMicroUsd }, at) => taken[at]! + reservedOf(job) <= mostMicroUsd)
    return { isLeft, takenMicroUsd: taken }
  }

  return {
    spending: async (owner, spans) => spans.map((span) => sumsOf(owner, span)),
    async insert(job, _maxUnfinished, budgets) {
      const holder = job.idempotency && (await store.findByIdempotencyKey(job.idempotency.key, job.createdAt))
      if (!budgets || holder) return store.insert(job)
      const { isLeft, takenMicroUsd } = await room(job, budgets)
      if (!isLeft) return { outcome: 'over_budget', takenMicroUsd }
      return { ...(await store.insert(job)), takenMicroUsd } as InsertOutcome
    },
    async replace(job, revision, budgets) {
      const before = records.get(job.id)
      const stored = before === undefined ? undefined : parse(before)
      if (budgets && stored?.revision === revision) {
        const { isLeft, takenMicroUsd } = await room(job, budgets, stored)
        if (!isLeft) return { outcome: 'over_budget', takenMicroUsd }
      }
      const outcome = await store.replace(job, revision)
      const entry = costEntryOf(job)
      if (outcome === 'replaced' && entry) ledger.set(job.id, entry)
      return outcome
    },
    costs: async ({ from, owner }) => entriesOf(world, owner ?? 'alice', from),
    async grant(grant) {
      const own = grants.get(grant.id) ?? grant
      grants.set(own.id, own)
      return own
    },
    grants: async ({ owner, after, limit }) =>
      grantsOf(owner)
        .filter((grant) => !after || placeOf(grant) > placeOf(after))
        .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
        .slice(0, limit),
  }
}

/** Runs one call after the other, as a store does that inserts in one step. */
function oneByOne(store: JobStore): JobStore {
  let latest: Promise<unknown> = Promise.resolve()
  function inTurn<Outcome>(call: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = latest.then(call)
    latest = outcome.catch(() => {})
    return outcome
  }
  return {
    ...store,
    insert: (...created) => inTurn(() => store.insert(...created)),
    replace: (...written) => inTurn(() => store.replace(...written)),
  }
}

/** The reference store with budgets, some methods broken. */
export function storeWith(
  broken: (world: World, methods: Methods) => Partial<JobStore> = () => ({}),
): JobStore {
  const world: World = { records: new Map(), ledger: new Map(), grants: new Map() }
  const methods = whole(world)
  return oneByOne({ ...referenceStore(world.records), ...methods, ...broken(world, methods) })
}
