import assert from 'node:assert/strict'
import type { Grant, Job, JobStore, SpendingBudget } from '@genmount/core'
import { exampleJob } from '../../jobs/example-job.ts'
import { createdAt, type JobStoreCases, replaced } from './stored-job.ts'

const whole = { from: 0, costsFrom: 0 }

const film = (id: string, more: Partial<Job> = {}) => exampleJob({ id, createdAt, reservedUsd: 3, ...more })
const paid = { phase: 'completed', completedAt: createdAt + 5, costUsd: 2, isCostKnown: true } as const

/**
 * The cases for several budgets of a job, budgets of keys, and balances, for a store that counts budgets. A store without
 * `spending` passes them.
 */
export const severalBudgetsCases: JobStoreCases = {
  'a job must fit into each of its budgets, and learns what is taken of each': ifCounted(async (store) => {
    const old = await stored(store, film('old'))
    await replaced(store, old, { ...paid, completedAt: createdAt + 1 })
    await stored(store, film('a'))
    const day: SpendingBudget = { from: createdAt + 4, costsFrom: createdAt + 4, mostMicroUsd: 6_000_000 }
    const month: SpendingBudget = { ...whole, mostMicroUsd: 8_000_000 }
    const takenMicroUsd = [3_000_000, 5_000_000]
    const little = [day, { ...month, mostMicroUsd: 7_999_999 }]
    const overBudget = { outcome: 'over_budget', takenMicroUsd }
    assert.deepEqual(await store.insert(film('b'), undefined, little), overBudget)
    const less = [{ ...day, mostMicroUsd: 5_999_999 }, month]
    assert.deepEqual(await store.insert(film('b'), undefined, less), overBudget)
    assert.equal(await store.get('b'), undefined)
    const inserted = { outcome: 'inserted', takenMicroUsd }
    assert.deepEqual(await store.insert(film('b'), undefined, [day, month]), inserted)
  }),

  'a budget of a key counts the jobs of this key and owner alone, before and after their end': ifCounted(
    async (store) => {
      const spent = await stored(store, film('a', { keyId: 'k' }))
      await replaced(store, spent, paid)
      const unknown = await stored(store, film('b', { keyId: 'k', reservedUsd: 0.5 }))
      await replaced(store, unknown, { phase: 'failed', completedAt: createdAt + 5 })
      await store.delete('b')
      await stored(store, film('c', { keyId: 'k' }))
      await stored(store, film('d', { keyId: 'K' }))
      await stored(store, film('e'))
      await stored(store, film('f', { owner: 'mallory', keyId: 'k' }))
      const taken = async (keyId?: string, owner = 'alice') => {
        const [sums] = await store.spending!(owner, [{ ...whole, keyId }])
        return [sums!.spentMicroUsd, sums!.reservedMicroUsd]
      }
      assert.deepEqual(await taken('k'), [2_000_000, 3_500_000])
      assert.deepEqual(await taken('K'), [0, 3_000_000])
      assert.deepEqual(await taken('other'), [0, 0])
      assert.deepEqual(await taken('k', 'mallory'), [0, 3_000_000])
      assert.deepEqual(await taken(), [2_000_000, 9_500_000])
      const budget = { ...whole, keyId: 'k', mostMicroUsd: 8_499_999 }
      assert.deepEqual(await store.insert(film('g', { keyId: 'k' }), undefined, [budget]), {
        outcome: 'over_budget',
        takenMicroUsd: [5_500_000],
      })
    },
  ),

  'a replace that reserves more stores nothing when the job does not fit, and does not count the job twice':
    ifCounted(async (store) => {
      const job = await stored(store, film('a'))
      const budgets: readonly SpendingBudget[] = [{ ...whole, mostMicroUsd: 5_000_000 }]
      const more = (reservedUsd: number): Job => ({ ...job, revision: job.revision + 1, reservedUsd })
      const overBudget = { outcome: 'over_budget', takenMicroUsd: [0] }
      assert.deepEqual(await store.replace(more(5.000001), job.revision, budgets), overBudget)
      assert.deepEqual(await store.get('a'), job)
      assert.equal(await store.replace(more(9), job.revision - 1, budgets), 'stale')
      assert.equal(await store.replace(more(5), job.revision, budgets), 'replaced')
      assert.equal((await store.get('a'))?.reservedUsd, 5)
      const [sums] = await store.spending!('alice', [whole])
      assert.equal(sums?.reservedMicroUsd, 5_000_000)
      assert.equal(await store.replace(more(9), job.revision, budgets), 'stale')
      assert.equal(await store.replace(film('gone'), 1, budgets), 'stale')
    }),

  'jobs that reserve more at the same time never pass the budget of their owner together': ifCounted(
    async (store) => {
      const ids = Array.from({ length: 8 }, (_, index) => `job-${index}`)
      const jobs: Job[] = []
      for (const id of ids) jobs.push(await stored(store, film(id, { reservedUsd: 1 })))
      const budgets: readonly SpendingBudget[] = [{ ...whole, mostMicroUsd: 10_000_000 }]
      const outcomes = await Promise.all(
        jobs.map((job) =>
          store.replace({ ...job, revision: job.revision + 1, reservedUsd: 2 }, job.revision, budgets),
        ),
      )
      assert.equal(outcomes.filter((outcome) => outcome === 'replaced').length, 2)
      const [sums] = await store.spending!('alice', [whole])
      assert.equal(sums?.reservedMicroUsd, 10_000_000)
    },
  ),

  'a grant adds to the balance of its owner once, and less than 0 takes from it': ifGranted(async (store) => {
    const granted = async (owner = 'alice', hasGrants = true) =>
      (await store.spending(owner, [{ ...whole, hasGrants }]))[0]?.grantedMicroUsd
    const first = grantOf({ id: 'order-1', usd: 5.000001 })
    assert.deepEqual(await store.grant(first), first)
    assert.deepEqual(await store.grant({ ...first, usd: 9, why: 'again' }), first)
    await store.grant(grantOf({ id: 'order-2', usd: -2, grantedAt: createdAt - 1 }))
    await store.grant(grantOf({ id: 'order-3', usd: 7, owner: 'mallory' }))
    assert.equal(await granted(), 3_000_001)
    assert.equal(await granted('mallory'), 7_000_000)
    assert.equal(await granted('bob'), 0)
    assert.equal(await granted('alice', false), 0)
    const balance: readonly SpendingBudget[] = [{ ...whole, mostMicroUsd: 0, hasGrants: true }]
    assert.deepEqual(await store.insert(film('a'), undefined, balance), {
      outcome: 'inserted',
      takenMicroUsd: [-3_000_001],
    })
    assert.deepEqual(await store.insert(film('b', { reservedUsd: 0.000002 }), undefined, balance), {
      outcome: 'over_budget',
      takenMicroUsd: [-1],
    })
  }),

  'grants are listed by their instants and ids, in pages, of one owner and of all': ifGranted(
    async (store) => {
      const [late, b, a, other] = [
        grantOf({ id: 'a-late', grantedAt: createdAt + 9 }),
        grantOf({ id: 'b', usd: -0.5, by: 'bürö', why: 'a "mistake"' }),
        grantOf({ id: 'a' }),
        grantOf({ id: 'c', owner: 'mallory' }),
      ] as const
      for (const grant of [late, b, a, other]) await store.grant(grant)
      assert.deepEqual(await store.grants({ limit: 10 }), [a, b, other, late])
      assert.deepEqual(await store.grants({ owner: 'alice', limit: 2 }), [a, b])
      assert.deepEqual(await store.grants({ owner: 'alice', after: b, limit: 2 }), [late])
      assert.deepEqual(await store.grants({ after: a, limit: 1 }), [b])
      assert.deepEqual(await store.grants({ owner: 'bob', limit: 10 }), [])
    },
  ),

  'grants and inserts at the same time never let an owner pass the balance': ifGranted(async (store) => {
    const balance: readonly SpendingBudget[] = [{ ...whole, mostMicroUsd: 0, hasGrants: true }]
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        if (index % 4 === 0) await store.grant(grantOf({ id: `grant-${index}`, usd: 1 }))
        return store.insert(film(`job-${index}`, { reservedUsd: 1 }), undefined, balance)
      }),
    )
    const inserted = outcomes.filter(({ outcome }) => outcome === 'inserted').length
    assert.ok(inserted <= 3)
    const [sums] = await store.spending('alice', [{ ...whole, hasGrants: true }])
    assert.equal(sums?.reservedMicroUsd, inserted * 1_000_000)
    assert.equal(sums.grantedMicroUsd, 3_000_000)
  }),
}

function grantOf(more: Partial<Grant>): Grant {
  return { id: 'g', owner: 'alice', usd: 1, by: 'the shop', why: 'an order', grantedAt: createdAt, ...more }
}

async function stored(store: JobStore, job: Job): Promise<Job> {
  assert.deepEqual(await store.insert(job), { outcome: 'inserted' })
  return job
}

type Counting = JobStore & Required<Pick<JobStore, 'spending'>>
type Granting = Counting & Required<Pick<JobStore, 'grant' | 'grants'>>

function ifCounted(run: (store: Counting) => Promise<void>): JobStoreCases[string] {
  return async ({ store }) => {
    if (store.spending && store.costs) await run(store as Counting)
  }
}

function ifGranted(run: (store: Granting) => Promise<void>): JobStoreCases[string] {
  return ifCounted(async (store) => {
    if (store.grant && store.grants) await run(store as Granting)
  })
}
