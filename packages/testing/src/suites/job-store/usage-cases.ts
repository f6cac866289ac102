import assert from 'node:assert/strict'
import {
  dayMs,
  type Job,
  type JobStore,
  noUsage,
  type UsageGroup,
  type UsageGrouping,
  usageGroupings,
  type UsageQuery,
  type UsageRow,
} from '@genmount/core'
import { createdAt, inserted, replaced, type JobStoreCases } from './stored-job.ts'

const all = { owner: 'alice', from: createdAt, to: createdAt + 30 * dayMs, groupBy: [], limit: 100 } as const

/**
 * The cases for a store that adds up its ledger: one that has `dailyUsage`, and with it `costs`. A store without it passes them,
 * because it is optional.
 */
export const usageCases: JobStoreCases = {
  'the sums of a time have each job that ended in it, with its outputs, its seconds and what it cost':
    ifSummed(async (store, usage) => {
      assert.deepEqual(await usage(), [])
      await inserted(store, { id: 'unfinished', seconds: 9 })
      const outputs = [{ url: 'https://media.example/1.mp4' }, { url: 'https://media.example/2.mp4' }]
      await ended(store, { id: 'a', seconds: 2.5 }, { ...end('completed', 0, 0.25), outputs })
      await ended(store, { id: 'b', seconds: 4 }, { ...end('failed', 0, 0), outputs })
      await ended(store, { id: 'c', reservedUsd: 1.5 }, { ...end('failed', 1), outputs: [] })
      await ended(store, { id: 'd', owner: 'mallory' }, end('completed', 0, 7))
      const counts = { jobs: 3, failed: 2, outputs: 2, seconds: 2.5, unknownCosts: 1 }
      const sums = { ...counts, spentMicroUsd: 250_000, reservedMicroUsd: 1_500_000 }
      assert.deepEqual(await usage(), [sums])
      assert.deepEqual(await usage({ owner: 'bob' }), [])
    }),

  'sums are grouped by owner, day, model and key, in this order': ifSummed(async (store, usage) => {
    await ended(store, { id: 'a', model: 'm2', keyId: 'k2' }, end('completed', 1, 0.1))
    await ended(store, { id: 'b', model: 'm1', keyId: 'k1' }, end('completed', 1, 0.2))
    await ended(store, { id: 'c', model: 'm2' }, end('completed', 0, 0.4))
    await ended(store, { id: 'd', model: 'm2', keyId: 'k1' }, end('completed', 0, 0.8))
    await ended(store, { id: 'e', owner: 'mallory', model: 'm1', keyId: 'k1' }, end('completed', 0, 9))
    const rows = async (query: Partial<UsageQuery>) => (await usage(query)).map(summary)
    assert.deepEqual(await rows({ groupBy: ['day'] }), [
      { day: createdAt, jobs: 2, micro: 1_200_000 },
      { day: createdAt + dayMs, jobs: 2, micro: 300_000 },
    ])
    assert.deepEqual(await rows({ groupBy: ['model'] }), [
      { model: 'm1', jobs: 1, micro: 200_000 },
      { model: 'm2', jobs: 3, micro: 1_300_000 },
    ])
    assert.deepEqual(await rows({ groupBy: ['keyId'] }), [
      { jobs: 1, micro: 400_000 },
      { keyId: 'k1', jobs: 2, micro: 1_000_000 },
      { keyId: 'k2', jobs: 1, micro: 100_000 },
    ])
    assert.deepEqual(await rows({ groupBy: ['keyId', 'model', 'day'], to: createdAt + dayMs }), [
      { day: createdAt, model: 'm2', jobs: 1, micro: 400_000 },
      { day: createdAt, model: 'm2', keyId: 'k1', jobs: 1, micro: 800_000 },
    ])
    assert.deepEqual(await rows({ owner: undefined, groupBy: ['owner', 'model'] }), [
      { owner: 'alice', model: 'm1', jobs: 1, micro: 200_000 },
      { owner: 'alice', model: 'm2', jobs: 3, micro: 1_300_000 },
      { owner: 'mallory', model: 'm1', jobs: 1, micro: 9_000_000 },
    ])
  }),

  'sums come in pages, each of which begins after a row of the page before': ifSummed(
    async (store, usage) => {
      for (const [index, keyId] of [undefined, 'k1', 'k2'].entries())
        for (const day of [0, 1])
          await ended(
            store,
            { id: `${index}-${day}`, ...(keyId !== undefined && { keyId }) },
            end('completed', day, 1),
          )
      const query = { owner: undefined, groupBy: ['owner', 'day', 'keyId'] } as const
      const whole = await usage(query)
      assert.equal(whole.length, 6)
      const paged: UsageRow[] = []
      for (let rows = await usage({ ...query, limit: 1 }); rows.length > 0;) {
        assert.equal(rows.length, 1)
        paged.push(...rows)
        rows = await usage({ ...query, limit: 1, after: paged.at(-1) })
      }
      assert.deepEqual(paged, whole)
    },
  ),

  'sums have the jobs of a part of a day exactly': ifSummed(async (store, usage) => {
    const ends = [0, 1, dayMs - 1, dayMs, dayMs + 5, 2 * dayMs - 1, 2 * dayMs, 3 * dayMs, 3 * dayMs + 1]
    for (const [index, at] of ends.entries())
      await ended(store, { id: `job-${index}` }, { ...end('completed', 0, 0.1), completedAt: createdAt + at })
    for (const from of [...ends, 2, 4 * dayMs])
      for (const to of [...ends, 2, 4 * dayMs]) {
        if (from > to) continue
        const count = ends.filter((at) => at >= from && at < to).length
        const rows = await usage({ from: createdAt + from, to: createdAt + to })
        const expected = count === 0 ? [] : [{ jobs: count, micro: count * 100_000 }]
        assert.deepEqual(rows.map(summary), expected, `from ${from} to ${to}`)
      }
  }),

  'sums of all owners and of one are the same in every grouping, range of days and page': ifSummed(
    async (store, usage) => {
      const ends = await endsOfManyOwners(store)
      const ranges = [
        [0, 6],
        [0.25, 6],
        [1, 3],
        [4, 6],
        [4.25, 4.75],
      ] as const
      for (const groupBy of everyGrouping)
        for (const [from, to] of ranges)
          for (const owner of [undefined, 'owner-1']) {
            const range = { owner, from: createdAt + from * dayMs, to: createdAt + to * dayMs }
            const expected = sumsOf(ends, { ...range, groupBy })
            const rows: UsageRow[] = []
            for (let size = 4; ; size += 20) {
              const page = await usage({ ...range, groupBy, after: rows.at(-1), limit: size })
              rows.push(...page)
              if (page.length < size) break
            }
            assert.deepEqual(rows, expected, `${groupBy.join()} of ${owner}, days ${from} to ${to}`)
          }
    },
  ),

  'a job that goes on and ends again counts on the day of its last end only': ifSummed(
    async (store, usage) => {
      const job = { id: 'a', keyId: 'k1', seconds: 4, reservedUsd: 3 }
      const first = await ended(store, job, end('failed', 0))
      await ended(store, { id: 'b', keyId: 'k1' }, end('completed', 0, 0.5))
      assert.deepEqual((await usage()).map(summary), [{ jobs: 2, micro: 500_000 }])
      const again = await replaced(store, first, { phase: 'running', handle: 1, dueAt: createdAt })
      assert.deepEqual((await usage()).map(summary), [{ jobs: 2, micro: 500_000 }])
      await replaced(store, again, end('completed', 2, 0.75))
      const none = { failed: 0, outputs: 0, unknownCosts: 0, reservedMicroUsd: 0 }
      assert.deepEqual(await usage({ groupBy: ['day', 'keyId'] }), [
        { day: createdAt, keyId: 'k1', ...none, jobs: 1, seconds: 0, spentMicroUsd: 500_000 },
        { day: createdAt + 2 * dayMs, keyId: 'k1', ...none, jobs: 1, seconds: 4, spentMicroUsd: 750_000 },
      ])
    },
  ),

  'sums stay when jobs are written once more or deleted, and a stale write counts nothing': ifSummed(
    async (store, usage) => {
      const done = await ended(store, { id: 'a' }, end('completed', 0, 0.5))
      await replaced(store, done, { attempts: 1 })
      const late = { ...done, ...end('completed', 0, 9), revision: 2 }
      assert.equal(await store.replace(late, 1), 'stale')
      assert.deepEqual((await usage()).map(summary), [{ jobs: 1, micro: 500_000 }])
      await store.delete('a')
      assert.deepEqual((await usage()).map(summary), [{ jobs: 1, micro: 500_000 }])
    },
  ),

  'sums of many jobs that end at the same time are exact to a millionth of a dollar': ifSummed(
    async (store, usage) => {
      const costs = Array.from({ length: 60 }, (_, index) => 0.1 + index / 1e6)
      const ends = costs.map(async (costUsd, index) =>
        ended(store, { id: `job-${index}`, seconds: 0.1 }, { ...end('completed', 0, costUsd), outputs: [] }),
      )
      await Promise.all(ends)
      await ended(store, { id: 'huge' }, { ...end('completed', 0, 1e308), outputs: [] })
      const [row] = await usage()
      assert.equal(row?.spentMicroUsd, 60 * 100_000 + 1770 + 1e12)
      assert.equal(row?.seconds, 6)
      assert.equal(row?.jobs, 61)
    },
  ),
}

type Usage = (query?: Partial<UsageQuery>) => Promise<readonly UsageRow[]>

function ifSummed(run: (store: JobStore, usage: Usage) => Promise<void>): JobStoreCases[string] {
  return async ({ store }) => {
    if (store.dailyUsage) await run(store, (query) => store.dailyUsage!({ ...all, ...query }))
  }
}

/** The group of a row, with how many jobs it has and what they cost. */
function summary({ owner, day, model, keyId, jobs, spentMicroUsd: micro }: UsageRow) {
  const group = Object.entries({ owner, day, model, keyId }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(group), jobs, micro }
}

/** How a job ends on a day of the suite. @param costUsd @default the cost is unknown */
function end(phase: 'completed' | 'failed', day: number, costUsd?: number): Partial<Job> {
  const cost = costUsd === undefined ? {} : ({ costUsd, isCostKnown: true } as const)
  return { phase, ...cost, outputs: [], completedAt: createdAt + day * dayMs }
}

async function ended(store: JobStore, job: Partial<Job>, changes: Partial<Job>): Promise<Job> {
  return replaced(store, await inserted(store, job), changes)
}

const everyGrouping: readonly (readonly UsageGrouping[])[] = Array.from(
  { length: 2 ** usageGroupings.length },
  (_, bits) => usageGroupings.filter((_name, place) => bits & (1 << place)),
)

/** An end of a job, as the sums count it. */
interface CountedEnd extends Required<UsageGroup> {
  readonly endedAt: number
  readonly micro: number
}

/**
 * Ends of jobs of six owners on six days. On most days there are many more rows of sums than owners, and on the fourth as many, so
 * that a store which reads them in different ways does so here.
 */
async function endsOfManyOwners(store: JobStore): Promise<readonly CountedEnd[]> {
  const ends = [0, 1, 2, 3, 4, 5].flatMap((day) =>
    [0, 1, 2, 3, 4, 5].flatMap((person) =>
      Array.from({ length: day === 4 ? 1 : 5 }, (_, index) => ({
        owner: `owner-${person}`,
        day: createdAt + day * dayMs,
        model: `m${index % 2}`,
        keyId: index < 3 ? '' : `k${index}`,
        endedAt: createdAt + day * dayMs + (index * dayMs) / 8 + person,
        micro: 1 + day + 10 * person + 100 * index,
      })),
    ),
  )
  const writing = ends.map(async ({ owner, model, keyId, endedAt, micro }, index) =>
    ended(
      store,
      { id: `job-${index}`, owner, model, ...(keyId !== '' && { keyId }) },
      { ...end('completed', 0, micro / 1e6), completedAt: endedAt },
    ),
  )
  await Promise.all(writing)
  return ends
}

/** The rows that a query should have. */
function sumsOf(
  ends: readonly CountedEnd[],
  { owner, from, to, groupBy }: Omit<UsageQuery, 'limit'>,
): readonly UsageRow[] {
  const rows = new Map<string, { -readonly [Name in keyof UsageRow]: UsageRow[Name] }>()
  for (const each of ends) {
    if (each.endedAt < from || each.endedAt >= to || (owner !== undefined && each.owner !== owner)) continue
    const group = Object.fromEntries(
      usageGroupings
        .filter((name) => groupBy.includes(name) && each[name] !== '')
        .map((name) => [name, each[name]]),
    )
    // Days of the suite have the same number of digits, so that their texts are in the order of time.
    const place = usageGroupings.map((name) => String(group[name] ?? '')).join(' ')
    const row = rows.get(place) ?? { ...group, ...noUsage }
    rows.set(place, { ...row, jobs: row.jobs + 1, spentMicroUsd: row.spentMicroUsd + each.micro })
  }
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}
