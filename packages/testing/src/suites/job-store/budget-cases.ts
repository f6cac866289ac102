import assert from 'node:assert/strict'
import type { Job, JobStore, SpendingBudget, SpendingSpan } from '@genmount/core'
import { exampleJob } from '../../jobs/example-job.ts'
import { createdAt, inserted, replaced, type JobStoreCases } from './stored-job.ts'

const whole: SpendingSpan = { from: 0, costsFrom: 0 }
const budgetOf = (mostMicroUsd: number): readonly SpendingBudget[] => [{ ...whole, mostMicroUsd }]

/**
 * The cases for a store that counts budgets: one that has `spending`, and with it `costs`. A store without it passes them,
 * because budgets are optional.
 */
export const budgetCases: JobStoreCases = {
  'a job counts with what it reserves until it ends, and then with what it has cost': ifCounted(
    async (store, sums) => {
      const job = await inserted(store, { id: 'a', reservedUsd: 3 })
      await inserted(store, { id: 'b', reservedUsd: 0.25 })
      await inserted(store, { id: 'without a budget' })
      await inserted(store, { id: 'of mallory', owner: 'mallory', reservedUsd: 7 })
      assert.deepEqual(await sums(), [0, 3_250_000])
      const running = await replaced(store, job, { phase: 'running', dueAt: createdAt + 5 })
      assert.deepEqual(await sums(), [0, 3_250_000])
      const collecting = await replaced(store, running, {
        phase: 'collecting',
        costUsd: 4.5,
        isCostKnown: true,
      })
      assert.deepEqual(await sums(), [0, 4_750_000])
      await replaced(store, collecting, ending('completed'))
      assert.deepEqual(await sums(), [4_500_000, 250_000])
      await store.delete('a')
      assert.deepEqual(await sums(), [4_500_000, 250_000])
      assert.deepEqual(await sums('mallory'), [0, 7_000_000])
      assert.deepEqual(await sums('bob'), [0, 0])
    },
  ),

  'a job for which nothing was paid gives back what it has reserved': ifCounted(async (store, sums) => {
    const refused = await inserted(store, { id: 'a', reservedUsd: 3 })
    await replaced(store, refused, { ...ending('failed'), costUsd: 0, isCostKnown: true })
    const withdrawn = await inserted(store, { id: 'b', reservedUsd: 3 })
    await replaced(store, withdrawn, { phase: 'failed', expiresAt: 0 })
    assert.deepEqual(await sums(), [0, 0])
  }),

  'a job that ends with an unknown cost keeps what it has reserved, also when it is deleted': ifCounted(
    async (store, sums) => {
      const job = await inserted(store, { reservedUsd: 0.000001 })
      await replaced(store, job, ending('failed'))
      assert.deepEqual(await sums(), [0, 1])
      const [entry] = await store.costs!({ owner: 'alice', from: 0, to: createdAt + 1000, limit: 10 })
      assert.equal(entry?.reservedUsd, 0.000001)
      assert.equal(entry?.costUsd, undefined)
      await store.delete(job.id)
      assert.deepEqual(await sums(), [0, 1])
    },
  ),

  'a job that goes on after its end counts once, and with its cost when it ends again': ifCounted(
    async (store, sums) => {
      const job = await inserted(store, { reservedUsd: 3 })
      const failed = await replaced(store, job, ending('failed'))
      const { completedAt: _end, error: _why, ...open } = failed
      const again = await replaced(store, open, { phase: 'running', isInLedger: true, dueAt: createdAt + 5 })
      assert.deepEqual(await sums(), [0, 3_000_000])
      const unknown = await replaced(store, again, ending('failed'))
      assert.deepEqual(await sums(), [0, 3_000_000])
      const third = await replaced(store, unknown, { phase: 'running', dueAt: createdAt + 5 })
      await replaced(store, third, { ...ending('completed'), costUsd: 2.5, isCostKnown: true })
      assert.deepEqual(await sums(), [2_500_000, 0])
    },
  ),

  'costs count from one instant on, and what is reserved in the ledger from another': ifCounted(
    async (store, sums) => {
      const paid = { costUsd: 1, isCostKnown: true } as const
      for (const [id, endedMs, cost] of [
        ['old', 10, paid],
        ['at the instant', 20, paid],
        ['unknown and old', 4, {}],
        ['unknown', 5, {}],
      ] as const) {
        const job = await inserted(store, { id, reservedUsd: 0.5 })
        await replaced(store, job, { ...ending('completed'), ...cost, completedAt: createdAt + endedMs })
      }
      const span = { from: createdAt + 5, costsFrom: createdAt + 20 }
      assert.deepEqual(await sums('alice', span), [1_000_000, 500_000])
      // A clock that was set back leaves entries in the future.
      const ahead = await inserted(store, { id: 'ahead' })
      await replaced(store, ahead, { ...ending('completed'), ...paid, completedAt: createdAt + 1e12 })
      assert.deepEqual(await sums('alice', span), [2_000_000, 500_000])
    },
  ),

  'an insert that does not fit into the budget stores nothing': ifCounted(async (store, sums) => {
    const idempotency = { key: 'k', fingerprint: 'f' }
    const film = (id: string, more: Partial<Job> = {}) => exampleJob({ id, reservedUsd: 3, ...more })
    const overBudget = { outcome: 'over_budget', takenMicroUsd: [3_000_000] }
    const stored = (takenMicroUsd: number) => ({ outcome: 'inserted', takenMicroUsd: [takenMicroUsd] })
    assert.deepEqual(await store.insert(film('a'), undefined, budgetOf(5_000_000)), stored(0))
    assert.deepEqual(await store.insert(film('b'), undefined, budgetOf(5_000_000)), overBudget)
    assert.deepEqual(await store.insert(film('b', { idempotency }), 9, budgetOf(5_999_999)), overBudget)
    assert.equal(await store.get('b'), undefined)
    assert.equal(await store.findByIdempotencyKey('k', createdAt), undefined)
    const second = film('b', { idempotency })
    assert.deepEqual(await store.insert(second, 9, budgetOf(6_000_000)), stored(3_000_000))
    assert.deepEqual(await store.get('b'), second)
    // A repeated request gets its job, whatever is spent.
    const repeated = film('c', { idempotency })
    assert.deepEqual(await store.insert(repeated, 9, budgetOf(1)), { outcome: 'duplicate', job: second })
    const another = film('d', { owner: 'mallory' })
    assert.deepEqual(await store.insert(another, 9, budgetOf(3_000_000)), stored(0))
    const free = exampleJob({ id: 'e', reservedUsd: 0 })
    assert.deepEqual(await store.insert(free, 9, budgetOf(6_000_000)), stored(6_000_000))
    assert.deepEqual(await store.insert(exampleJob({ id: 'f' }), 9, budgetOf(-1)), {
      outcome: 'over_budget',
      takenMicroUsd: [6_000_000],
    })
    if (store.unfinished)
      assert.deepEqual(await store.insert(film('g'), 1, budgetOf(1)), { outcome: 'over_limit' })
    assert.deepEqual(await sums(), [0, 6_000_000])
  }),

  'inserts at the same time never pass the budget of their owner together': ifCounted(async (store, sums) => {
    const insert = (_: unknown, index: number) =>
      store.insert(exampleJob({ id: `job-${index}`, reservedUsd: 3 }), undefined, budgetOf(5_000_000))
    const outcomes = await Promise.all(Array.from({ length: 12 }, insert))
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'inserted').length, 1)
    assert.deepEqual(await sums(), [0, 3_000_000])
  }),

  'sums are exact to a millionth of a dollar, and a huge cost breaks none': ifCounted(async (store, sums) => {
    for (let count = 0; count < 100; count++) {
      const job = await inserted(store, { id: `job-${count}`, reservedUsd: 0.1 })
      const cost = { costUsd: 0.000001 + count / 10, isCostKnown: true } as const
      if (count % 2 === 0) await replaced(store, job, { ...ending('completed'), ...cost })
    }
    assert.deepEqual(await sums(), [245_000_050, 5_000_000])
    const huge = await inserted(store, { id: 'huge' })
    await replaced(store, huge, { ...ending('completed'), costUsd: 1e308, isCostKnown: true })
    assert.deepEqual(await sums(), [1_000_245_000_050, 5_000_000])
  }),
}

function ending(phase: 'completed' | 'failed'): Partial<Job> {
  return { phase, completedAt: createdAt + 5 }
}

type Sums = (owner?: string, span?: SpendingSpan) => Promise<readonly [spent: number, reserved: number]>

function ifCounted(run: (store: JobStore, sums: Sums) => Promise<void>): JobStoreCases[string] {
  return async ({ store }) => {
    const { spending } = store
    if (!spending || !store.costs) return
    await run(store, async (owner = 'alice', span = whole) => {
      const [sums] = await spending(owner, [span])
      assert.equal(sums?.grantedMicroUsd, 0)
      return [sums.spentMicroUsd, sums.reservedMicroUsd]
    })
  }
}
