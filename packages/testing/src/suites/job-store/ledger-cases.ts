import assert from 'node:assert/strict'
import { costEntryOf, type CostEntry, type CostQuery, type Job, type JobStore } from '@genmount/core'
import { exampleJob } from '../../jobs/example-job.ts'
import { createdAt, inserted, replaced, type JobStoreCases } from './stored-job.ts'

const all = { owner: 'alice', from: 0, to: createdAt + 1_000_000, limit: 100 }
const paid = { provider: 'fake', isCostKnown: true } as const

/** The cases for a store that keeps a ledger. A store without `costs` passes them, because the ledger is optional. */
export const ledgerCases: JobStoreCases = {
  'a job that finishes has one entry of costs, which stays when the job is deleted': ifKept(
    async (store, costs) => {
      const job = await inserted(store, { id: 'a', ...paid })
      assert.deepEqual(await costs(all), [])
      await replaced(store, job, { attempts: 1 })
      assert.deepEqual(await costs(all), [])
      const done = await replaced(store, { ...job, revision: 2 }, ending('completed', 5, 0.25))
      assert.deepEqual(await costs(all), [costEntryOf(done)])
      await replaced(store, done, { attempts: 1 })
      await store.delete('a')
      assert.deepEqual(await costs(all), [costEntryOf(done)])
    },
  ),

  'a cost that nobody knows is absent, and is not 0': ifKept(async (store, costs) => {
    await ended(store, { id: 'a', provider: 'fake' }, ending('completed', 5, 0))
    await ended(store, { id: 'b', ...paid }, ending('failed', 6, 0))
    const entries = await costs(all)
    assert.deepEqual(
      entries.map(({ costUsd, outcome, provider }) => ({ costUsd, outcome, provider })),
      [
        { costUsd: undefined, outcome: 'completed', provider: 'fake' },
        { costUsd: 0, outcome: 'failed', provider: 'fake' },
      ],
    )
    assert.equal('costUsd' in (entries[0] ?? {}), false)
  }),

  'an entry of costs has the number of the outputs, which is 0 for a job that failed': ifKept(
    async (store, costs) => {
      const outputs = [{ url: 'https://media.example/1.png' }, { url: 'https://media.example/2.png' }]
      await ended(store, { id: 'a', ...paid }, { ...ending('completed', 5, 0.25), outputs })
      await ended(store, { id: 'b', ...paid }, { ...ending('failed', 6, 0.25), outputs })
      const counts = (await costs(all)).map((entry) => entry.outputs)
      assert.deepEqual(counts, [2, 0])
    },
  ),

  'a write that is stale leaves no entry of costs': ifKept(async (store, costs) => {
    const job = await inserted(store, { id: 'a', ...paid })
    await replaced(store, job, { attempts: 1 })
    const late = exampleJob({ ...job, ...ending('completed', 5, 0.25), revision: 2 })
    assert.equal(await store.replace(late, 1), 'stale')
    assert.deepEqual(await costs(all), [])
  }),

  'a job that goes on and finishes again has the entry of its last end only': ifKept(async (store, costs) => {
    const first = await ended(store, { id: 'a', ...paid }, ending('failed', 5, 0))
    const again = await replaced(store, first, { phase: 'running', handle: 1, dueAt: createdAt })
    const last = await replaced(store, again, ending('completed', 90, 0.5))
    assert.deepEqual(await costs(all), [costEntryOf(last)])
  }),

  'costs are read by owner and time, in pages, in the order of the ends': ifKept(async (store, costs) => {
    const ends: readonly (readonly [string, number])[] = [
      ['b', 20],
      ['a', 20],
      ['d', 30],
      ['c', 10],
    ]
    for (const [id, at] of ends) await ended(store, { id, ...paid }, ending('completed', at, 0.1))
    await ended(store, { id: 'm', owner: 'mallory', ...paid }, ending('completed', 20, 9))
    const ids = async (query: Partial<CostQuery> = {}) =>
      (await costs({ ...all, ...query })).map(({ job }) => job)
    assert.deepEqual(await ids(), ['c', 'a', 'b', 'd'])
    assert.deepEqual(await ids({ from: createdAt + 20, to: createdAt + 30 }), ['a', 'b'])
    assert.deepEqual(await ids({ limit: 2 }), ['c', 'a'])
    assert.deepEqual(await ids({ limit: 2, after: { job: 'a', endedAt: createdAt + 20 } }), ['b', 'd'])
    assert.deepEqual(await ids({ owner: 'bob' }), [])
  }),

  'costs without an owner are those of all owners, in pages, in the order of the ends': ifKept(
    async (store, costs) => {
      const { owner: _owner, ...everybody } = all
      await ended(store, { id: 'b', ...paid }, ending('completed', 20, 0.1))
      await ended(store, { id: 'c', owner: 'mallory', ...paid }, ending('completed', 20, 9))
      await ended(store, { id: 'a', owner: 'bob', ...paid }, ending('failed', 30, 9))
      const ids = async (query: Partial<CostQuery> = {}) =>
        (await costs({ ...everybody, ...query })).map(({ job }) => job)
      assert.deepEqual(await ids(), ['b', 'c', 'a'])
      assert.deepEqual(await ids({ to: createdAt + 30 }), ['b', 'c'])
      assert.deepEqual(await ids({ limit: 1, after: { job: 'b', endedAt: createdAt + 20 } }), ['c'])
    },
  ),
}

type Costs = (query: CostQuery) => Promise<readonly CostEntry[]>

function ifKept(run: (store: JobStore, costs: Costs) => Promise<void>): JobStoreCases[string] {
  return async ({ store }) => {
    if (store.costs) await run(store, (query) => store.costs!(query))
  }
}

function ending(phase: 'completed' | 'failed', afterMs: number, costUsd: number): Partial<Job> {
  return { phase, costUsd, completedAt: createdAt + afterMs }
}

async function ended(store: JobStore, job: Partial<Job>, end: Partial<Job>): Promise<Job> {
  return replaced(store, await inserted(store, job), end)
}
