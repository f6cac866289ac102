import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { answerParent } from '../answer-parent.ts'
import { rawStore } from './raw-lives.ts'
import { live, make, newId, recordLife, sameLife, type StoreCall } from './served-life.ts'

/**
 * A process that stores whole lives of jobs in SQLite files, through our backend or through raw statements.
 */

/** How many jobs are stored at the same time in the measurement with many jobs. */
const atATime = 100

const { now } = systemClock()
const folder = mkdtempSync(join(process.argv[2]!, 'genmount-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true }))

const prepareRaw = rawStore(join(folder, 'raw.db'))
const empty = sqliteBackend({ file: join(folder, 'empty.db') })
const served = await recordLife(sqliteBackend({ file: join(folder, 'recorded.db') }))
const filled = new Map<number, ReturnType<typeof sqliteBackend>>()

export type LivesQuestion =
  | { readonly do: 'count' }
  | { readonly do: 'fill'; readonly rows: number }
  | { readonly do: 'raw' | 'one by one' | 'many'; readonly lives: number }
  | { readonly do: 'rates'; readonly rows: number; readonly lives: number }

/** How many calls of the store one life takes. */
export interface CallCounts {
  readonly writes: number
  readonly reads: number
}

/** How much of each is done in a second. */
export interface PhaseRates {
  readonly create: number
  readonly life: number
}

function newLives(count: number): readonly (readonly StoreCall[])[] {
  return Array.from({ length: count }, () => sameLife(served, newId(now()), now()))
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
  const id = newId(now())
  await live(backend.jobs, sameLife(served, id, now()))
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = OFF')
  database.exec(`
    CREATE TEMP TABLE ids AS
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows - 1})
      SELECT printf('gen_%012x', ${now() - rows} + n) || lower(hex(randomblob(10))) AS new_id, n FROM numbers;
    INSERT INTO jobs (id, owner, phase, revision, expires_at, idempotency_key, job)
      SELECT new_id, owner, phase, revision, expires_at + n,
        json_array('alice', 'POST /v1/generate', lower(hex(randomblob(18)))), replace(job, id, new_id)
      FROM ids, jobs WHERE jobs.id = '${id}';
    INSERT INTO costs
      SELECT new_id, owner, model, provider, outcome, cost_usd, created_at + n, started_at + n, ended_at + n, outputs
      FROM ids, costs WHERE job_id = '${id}'`)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

/** Measures the creates and the rest of the same lives, with many jobs at the same time. */
async function phaseRates(rows: number, count: number): Promise<PhaseRates> {
  const { jobs } = filled.get(rows)!
  const lives = newLives(count)
  const created = await secondsFor(() => manyAtATime(lives, ([insert]) => make(jobs, insert!)))
  const ended = await secondsFor(() => manyAtATime(lives, ([, ...rest]) => live(jobs, rest)))
  return { create: count / created, life: count / (created + ended) }
}

answerParent({}, async (question: LivesQuestion) => {
  switch (question.do) {
    case 'count': {
      const reads = served.calls.filter((call) => call.do === 'get').length
      return { reads, writes: served.calls.length - reads } satisfies CallCounts
    }
    case 'fill':
      return fill(question.rows)
    case 'rates':
      return phaseRates(question.rows, question.lives)
    case 'raw': {
      const lives = Array.from({ length: question.lives }, () =>
        prepareRaw({ ...served.job, id: newId(now()), createdAt: now() }),
      )
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
