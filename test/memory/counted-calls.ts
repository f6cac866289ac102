import { Session } from 'node:inspector/promises'
import process from 'node:process'
import type { Job, JobStore } from '@genmount/core'
import { exampleJob } from '@genmount/testing'

/**
 * Fills a memory backend with jobs of one owner, calls each method of its store, and prints how often the code of the store
 * ran for it: how often each function and each block in it began. A loop over all jobs would show. Then prints how long the
 * calls of a sweep take.
 */

const size = Number(process.argv[2])
const now = Date.UTC(2026, 0, 1)
const owner = 'alice'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
// Counts only code that is compiled from now on.
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
const { memoryBackend } = await import('@genmount/core')

/** How often the blocks of the store's code have begun since the last call. */
async function blocks(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.includes('/packages/core/'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
}

const { jobs } = memoryBackend({ maxJobs: size + 10, maxBytes: Number.MAX_SAFE_INTEGER })
const { costs, list, unfinished, storedBytes, noteUpload } = jobs as Required<JobStore>

const idOf = (n: number) => `gen_${String(n).padStart(8, '0')}`

/** A running job. The next steps of all jobs lie in the next hour. */
const running = (n: number, changes: Partial<Job> = {}): Job =>
  exampleJob({
    id: idOf(n),
    owner,
    phase: 'running',
    createdAt: now,
    expiresAt: now + 10_000_000 + n,
    dueAt: now + 1 + (n % 3_000_000),
    idempotency: { key: `key-${n}`, fingerprint: '' },
    ...changes,
  })

function finished(n: number): Job {
  const { dueAt: _, ...job } = running(n, {
    phase: 'completed',
    revision: 2,
    completedAt: now + n,
    costUsd: 1,
    outputs: [{ kind: 'video', key: `file-${n}`, mediaType: 'video/mp4', bytes: 10 } as never],
  })
  return job
}

for (let n = 0; n < size; n++) {
  await jobs.insert(running(n, { revision: 1 }))
  if (n % 2 === 1) await jobs.replace(finished(n), 1)
  if (n % 100 === 0)
    await noteUpload({ key: `upload-${n}`, owner, bytes: 10, expiresAt: now + 10_000_000 + n, notedAt: now })
}

const half = Math.floor(size / 4) * 2
const hour = 3_600_000
const late = now + 10_000_000 + half
/** One call of each kind, each with about the same answer for any number of jobs. */
const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  'due, if nothing is': () => jobs.due(now, 100),
  'due, if some are': () => jobs.due(now + 100, 100),
  'due, if the clock was put back by hours': () => jobs.due(now - 2 * hour, 100),
  'due after skipped ones': () => jobs.due(now + half, 100, half / 4),
  'expired, if nothing is': () => jobs.expired(now, 100),
  'expired, if many are': () => jobs.expired(late, 100),
  unfinished: () => unfinished(owner, 100),
  'unfinished of an owner without any': () => unfinished('bob', 100),
  storedBytes: () => storedBytes(owner, now),
  'storedBytes, if half has expired': () => storedBytes(owner, late),
  'a page of costs': () => costs({ owner, from: now + half, to: now + size, limit: 100 }),
  'a later page of costs': () =>
    costs({ from: now, to: now + size, after: { job: idOf(half - 1), endedAt: now + half - 1 }, limit: 100 }),
  'costs of an owner without any': () => costs({ owner: 'bob', from: now, to: now + size, limit: 100 }),
  list: () => list({ owner, before: idOf(half), limit: 100, maxLength: Infinity }),
  get: () => jobs.get(idOf(half)),
  findByIdempotencyKey: () => jobs.findByIdempotencyKey(`key-${half}`, now),
  insert: () => jobs.insert(running(size), 1e9),
  'insert beyond a limit': () => jobs.insert(running(size + 1), 100),
  'replace of a running job': () => jobs.replace(running(half, { revision: 2, dueAt: now + 1 }), 1),
  'replace by which a job ends': () => jobs.replace({ ...finished(half), revision: 3 }, 2),
  delete: () => jobs.delete(idOf(half + 1)),
  noteUpload: () => noteUpload({ key: 'upload', owner, bytes: 10, expiresAt: late, notedAt: now }),
}

/** How many microseconds a call takes, the median of many. */
async function microseconds(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 21; n++) {
    const from = performance.now()
    await call()
    times.push((performance.now() - from) * 1000)
  }
  return times.toSorted((a, b) => a - b)[10]!
}

const counts: Record<string, number> = {}
for (const [name, call] of Object.entries(calls)) {
  await blocks()
  await call()
  counts[name] = await blocks()
}
await session.post('Profiler.stopPreciseCoverage')
const sweep = [() => jobs.due(now, 100), () => jobs.expired(now, 100)]
const sweepUs: number[] = []
for (const call of sweep) sweepUs.push(await microseconds(call))
console.log(JSON.stringify({ counts, sweepUs }))
process.exit()
