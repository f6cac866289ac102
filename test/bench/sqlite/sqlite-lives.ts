import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { type Job, systemClock } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { serveParent } from '../waiters/child-process.ts'
import { live, newId, revisionsOf } from './job-lives.ts'
import { rawStore } from './raw-lives.ts'

/**
 * A process that stores whole lives of jobs in SQLite files, through our backend or through raw statements.
 */

/** How many jobs are stored at the same time in the measurement with many jobs. */
const atATime = 100

const { now } = systemClock()
const folder = mkdtempSync(join(process.argv[2]!, 'genmount-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true }))

const raw = rawStore(join(folder, 'raw.db'))
const empty = sqliteBackend({ file: join(folder, 'empty.db') })
const filled = new Map<number, ReturnType<typeof sqliteBackend>>()

export type LivesQuestion =
  | { readonly do: 'fill'; readonly rows: number }
  | { readonly do: 'raw' | 'one by one' | 'many'; readonly lives: number }
  | { readonly do: 'rates'; readonly rows: number; readonly lives: number }

/** How many operations of each phase are done in a second. */
export interface PhaseRates {
  readonly create: number
  readonly claim: number
  readonly finish: number
  readonly life: number
}

function newLives(count: number): readonly (readonly Job[])[] {
  return Array.from({ length: count }, () => revisionsOf(newId(now()), now()))
}

async function secondsFor(work: () => unknown): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

/** Runs `work` for all items, a limited number at the same time. */
async function manyAtATime<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const item of left) await work(item)
    }),
  )
}

/** Fills a file with finished jobs by SQL, in the same tables and rows that the backend makes. */
async function fill(rows: number): Promise<void> {
  const file = join(folder, `${rows}.db`)
  const backend = sqliteBackend({ file })
  filled.set(rows, backend)
  const lives = revisionsOf(newId(now()), now())
  await live(backend.jobs, lives)
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = OFF')
  database
    .prepare(
      `
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1),
        ids AS MATERIALIZED (SELECT printf('gen_%012x', ?3 + n) || lower(hex(randomblob(10))) AS new_id, n FROM numbers)
      INSERT INTO jobs (id, owner, phase, revision, expires_at, idempotency_key, job)
      SELECT new_id, owner, phase, revision, expires_at + n, 'alice /v1/generate ' || hex(randomblob(18)), replace(job, id, new_id)
      FROM ids, jobs WHERE jobs.id = ?2`,
    )
    .run(rows - 1, lives[0]!.id, now() - rows)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

/** Measures the same lives phase by phase, with many jobs at the same time. */
async function phaseRates(rows: number, count: number): Promise<PhaseRates> {
  const { jobs } = filled.get(rows)!
  const lives = newLives(count)
  const writing = (revisions: readonly number[]) =>
    secondsFor(() =>
      manyAtATime(lives, async (life) => {
        for (const revision of revisions) {
          const job = life[revision - 1]!
          const done = revision === 1 ? await jobs.insert(job) : await jobs.replace(job, revision - 1)
          if (done === 'stale') throw new Error(`Job ${job.id} is stale.`)
        }
      }),
    )
  const created = await writing([1])
  const claimed = await writing([2])
  const polled = await writing([3, 4])
  const finished = await writing([5, 6])
  return {
    create: count / created,
    claim: count / claimed,
    finish: count / finished,
    life: count / (created + claimed + polled + finished),
  }
}

serveParent(async (question: LivesQuestion) => {
  switch (question.do) {
    case 'fill':
      return fill(question.rows)
    case 'rates':
      return phaseRates(question.rows, question.lives)
    case 'raw': {
      const lives = newLives(question.lives).map((life) => raw.prepare(life))
      return question.lives / (await secondsFor(() => lives.forEach((run) => run())))
    }
    case 'one by one': {
      const lives = newLives(question.lives)
      const seconds = await secondsFor(async () => {
        for (const life of lives) await live(empty.jobs, life)
      })
      return question.lives / seconds
    }
    case 'many': {
      const lives = newLives(question.lives)
      return question.lives / (await secondsFor(() => manyAtATime(lives, (life) => live(empty.jobs, life))))
    }
  }
})
