import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { type Job, type JobStore, memoryBackend } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { listen } from '../../loopback.ts'
import { answerParent, cpuMs } from '../answer-parent.ts'
import { benchProviders, benchService } from '../bench-service.ts'
import type { Load } from '../http/load.ts'
import { apiKey, exampleInput, owner } from '../workload.ts'

/** A process with a service whose store is filled with finished jobs. It reads them, and leads further jobs to their end. */

/**
 * How many different jobs are read. It is the same for each size of the store, so that the caches of the CPU
 * work alike.
 */
const readJobs = 1000

/** Room for the jobs that are created. Without it they would push out those that are read. */
const room = 20_000

const kind = process.argv[2] as 'memory' | 'SQLite'
const size = Number(process.argv[3])
const folder = mkdtempSync(join(tmpdir(), 'genmount-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const file = join(folder, 'jobs.db')
const backend =
  kind === 'memory'
    ? memoryBackend({ maxJobs: size + room, maxBytes: Number.MAX_SAFE_INTEGER })
    : sqliteBackend({ file })

let insertUs: number[] = []
const jobs: JobStore = {
  ...backend.jobs,
  async insert(job: Job) {
    const from = performance.now()
    const inserted = await backend.jobs.insert(job)
    insertUs.push((performance.now() - from) * 1000)
    return inserted
  },
}
const { providers } = benchProviders({ pollAfterMs: 1 })
const service = benchService({ providers, backend: { ...backend, jobs } })

/** Creates a job with an idempotency key of its own, and waits until its poll has ended it. @returns its id */
async function live(): Promise<string> {
  const idempotency = { key: crypto.randomUUID(), scope: 'POST /v1/generate' }
  const { job } = await service.create({ owner, model: 'bench-video', input: exampleInput(), idempotency })
  await service.waitFor(job.id, owner)
  return job.id
}

/** Fills the memory with copies of one finished job. Each is inserted as running and then replaced. */
async function fillMemory(first: string): Promise<readonly string[]> {
  const example = JSON.stringify(await service.get(first, owner))
  const ids = [first]
  while (ids.length < size) {
    const id = `gen_${crypto.randomUUID().replaceAll('-', '')}`
    const finished: Job = JSON.parse(example.replaceAll(first, id))
    const idempotency = { ...finished.idempotency!, key: id }
    await backend.jobs.insert({
      ...finished,
      idempotency,
      phase: 'running',
      dueAt: Number.MAX_SAFE_INTEGER,
    })
    await backend.jobs.replace({ ...finished, idempotency }, finished.revision)
    ids.push(id)
    if (ids.length % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return ids
}

/** Fills the file by SQL with copies of one finished job, in the tables and rows that the backend makes. */
function fillFile(first: string): readonly string[] {
  using database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = OFF')
  database.exec(`
    CREATE TEMP TABLE ids AS
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${size - 1})
      SELECT printf('gen_%012x', ${Date.now() - size} + n) || lower(hex(randomblob(10))) AS new_id, n FROM numbers;
    INSERT INTO jobs (id, owner, phase, revision, expires_at, idempotency_key, job)
      SELECT new_id, owner, phase, revision, expires_at + n,
        json_array('${owner}', 'POST /v1/generate', lower(hex(randomblob(18)))), replace(job, id, new_id)
      FROM ids, jobs WHERE jobs.id = '${first}';
    INSERT INTO costs (job_id, owner, model, provider, outcome, cost_usd, created_at, started_at, ended_at, outputs)
      SELECT new_id, owner, model, provider, outcome, cost_usd, created_at + n, started_at + n, ended_at + n, outputs
      FROM ids, costs WHERE job_id = '${first}'`)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  return database
    .prepare('SELECT new_id FROM ids')
    .all()
    .map((row) => String(row['new_id']))
}

// The service itself does not keep the process alive.
setInterval(() => {}, 1000)
const first = await live()
const all = kind === 'memory' ? await fillMemory(first) : fillFile(first)
const ids = Array.from({ length: readJobs }, (_, index) => all[Math.floor((index * all.length) / readJobs)]!)
const { origin } = await listen(toNodeHandler(service, { authenticate: apiKeys({ [owner]: apiKey }) }))
const calls = {
  load: (): Load => ({ url: origin, paths: ids.map((id) => `/v1/jobs/${id}`) }),
  cpuMs,
  async read(reads: number) {
    for (let i = 0; i < reads; i++) await service.get(ids[i % ids.length]!, owner)
    return cpuMs()
  },
  /** Leads lives, so many at a time. @returns also how long the inserts of the jobs took, in microseconds */
  async live(lives: number, atATime: number) {
    insertUs = []
    const from = performance.now()
    let left = lives
    const liveOnAndOn = async () => {
      while (left-- > 0) await live()
    }
    await Promise.all(Array.from({ length: atATime }, liveOnAndOn))
    return { livesPerSecond: (lives * 1000) / (performance.now() - from), insertUs }
  },
}
export type StoreCalls = typeof calls
answerParent(calls)
