import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { type Job, type JobStore, memoryBackend } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { listen } from '../../loopback.ts'
import { answerParent, cpuMs } from '../answer-parent.ts'
import { benchProviders, benchService, created } from '../bench-service.ts'
import { quantile } from '../figures.ts'
import type { Load } from '../http/load.ts'
import { type StoreCall, storeCalls } from './store-calls.ts'
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

const { providers } = benchProviders({ pollAfterMs: 1 })
const service = benchService({ providers, backend })
const jobs = backend.jobs as Required<JobStore>

/** Creates a job with an idempotency key of its own, and waits until its poll has ended it. @returns its id */
async function live(): Promise<string> {
  const idempotency = { key: crypto.randomUUID(), scope: 'POST /v1/generate' }
  const { job } = await created(() =>
    service.create({ owner, model: 'bench-video', input: exampleInput(), idempotency }),
  )
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

/** The ids of jobs that lie apart. A million ids in the heap would make each collection of garbage longer. */
function spreadOver(all: readonly string[]): readonly string[] {
  return Array.from({ length: readJobs }, (_, index) => all[Math.floor((index * all.length) / readJobs)]!)
}

// The service itself does not keep the process alive.
setInterval(() => {}, 1000)
const first = await live()
const ids = spreadOver(kind === 'memory' ? await fillMemory(first) : fillFile(first))
const example = (await jobs.get(first, owner))!
const { origin } = await listen(toNodeHandler(service, { authenticate: apiKeys({ [owner]: apiKey }) }))
/** Makes each call of the store: what is made before the call does not count. */
const callOf: Readonly<
  Record<StoreCall, (round: number) => (() => Promise<unknown>) | Promise<() => Promise<unknown>>>
> = {
  create: async (round) => {
    const idempotency = { key: crypto.randomUUID(), fingerprint: '' }
    const job = { ...example, id: `gen_${crypto.randomUUID().replaceAll('-', '')}`, idempotency }
    const running: Job = {
      ...job,
      owner: `another ${round}`,
      phase: 'running',
      dueAt: Number.MAX_SAFE_INTEGER,
    }
    return () => jobs.insert(running, 1000)
  },
  get: (round) => () => jobs.get(ids[round % ids.length]!, owner),
  list: () => () => jobs.list({ owner, before: ids[ids.length >> 1]!, limit: 100, maxLength: 1e9 }),
  sweep: () => () => jobs.due(Date.now(), 100),
  limit: () => () => jobs.unfinished(owner, 100),
  ledger: () => () => jobs.costs({ owner, from: 0, to: Number.MAX_SAFE_INTEGER, limit: 100 }),
}

const calls = {
  load: (): Load => ({ url: origin, paths: ids.map((id) => `/v1/jobs/${id}`) }),
  cpuMs,
  /** @returns what each call of the store takes, in microseconds: half of `count` calls take no longer */
  async timesOf(count: number) {
    const times: Partial<Record<StoreCall, number>> = {}
    for (const name of storeCalls) {
      const took: number[] = []
      for (let round = 0; round < count; round++) {
        const call = await callOf[name](round)
        const from = performance.now()
        await call()
        took.push((performance.now() - from) * 1000)
      }
      times[name] = quantile(took, 0.5)
    }
    return times as Readonly<Record<StoreCall, number>>
  },
  /** @returns what a read of a bare Map with as many entries takes, in microseconds: half of `count` reads take no longer */
  mapUs(count: number) {
    const map = new Map<string, { readonly revision: number }>()
    for (let revision = 0; revision < size; revision++) map.set(crypto.randomUUID(), { revision })
    const keys = spreadOver([...map.keys()])
    let sum = 0
    const took = Array.from({ length: count }, (_, round) => {
      const key = keys[round % keys.length]!
      const from = performance.now()
      sum += map.get(key)!.revision
      return (performance.now() - from) * 1000
    })
    return sum > 0 ? quantile(took, 0.5) : Number.NaN
  },
  /** Leads lives, so many at a time. @returns how many end in a second */
  async live(lives: number, atATime: number) {
    const from = performance.now()
    let left = lives
    const liveOnAndOn = async () => {
      while (left-- > 0) await live()
    }
    await Promise.all(Array.from({ length: atATime }, liveOnAndOn))
    return (lives * 1000) / (performance.now() - from)
  },
  /** How many bytes of the file a job takes, with its entry in the ledger. */
  fileBytesPerJob: () => (kind === 'memory' ? 0 : statSync(file).size / size),
}
export type StoreCalls = typeof calls
answerParent(calls)
