/**
 * A worker thread that uses the server like a client who has nothing to do with the attack: again and again
 * it creates a job, waits for it and reads it. To the message `report` it answers with what it saw since the
 * last report, as soon as it has seen a job and a read.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { setTimeout as delay } from 'node:timers/promises'
import { keyOf } from './connections.ts'

/** What the honest client saw. Times are in milliseconds. */
export interface HonestFigures {
  readonly jobs: Spread
  readonly reads: Spread
  /** The calls that failed: the unexpected answer, or the reason why there was none. */
  readonly refusals: readonly string[]
  /** The ids of the jobs that were created. */
  readonly jobIds: readonly string[]
}

export interface Spread {
  readonly count: number
  readonly median: number
}

const { port } = workerData as { port: number }
/** After this time, in milliseconds, a call counts as not answered, so that the client can continue. */
const patienceMs = 4000
const headers = { authorization: `Bearer ${keyOf('honest')}`, 'content-type': 'application/json' }
const jobTimes: number[] = []
const readTimes: number[] = []
const refusals: string[] = []
const jobIds: string[] = []
/** The call that is not answered yet. */
let underWay: { readonly times: number[]; readonly since: number } | undefined

async function timed(
  times: number[],
  path: string,
  init: RequestInit = {},
): Promise<{ id?: string; status?: string }> {
  const since = performance.now()
  underWay = { times, since }
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal, ...init })
    const job = (await response.json()) as { id: string; status: string }
    if (response.status !== 200 || job.status !== 'completed')
      refusals.push(`${path}: ${response.status} ${JSON.stringify(job).slice(0, 200)}`)
    return job
  } catch (error) {
    refusals.push(`${path}: ${String(error)}`)
    return {}
  } finally {
    times.push(performance.now() - since)
    underWay = undefined
  }
}

async function live(): Promise<never> {
  for (;;) {
    const body = JSON.stringify({ model: 'anything', prompt: 'a kite' })
    const job = await timed(jobTimes, '/v1/generate?wait=true', { method: 'POST', body })
    if (job.id !== undefined) jobIds.push(job.id)
    for (let read = 0; read < 4 && job.id !== undefined; read++) {
      await timed(readTimes, `/v1/jobs/${job.id}`)
      await delay(10)
    }
    await delay(10)
  }
}

function spreadOf(times: number[]): Spread {
  const sorted = times.splice(0).toSorted((a, b) => a - b)
  return { count: sorted.length, median: sorted[Math.floor(sorted.length / 2)] ?? 0 }
}

const asker = parentPort as MessagePort
asker.on('message', async () => {
  // On a slow machine the first answers come late.
  const giveUpAt = performance.now() + patienceMs
  while ((jobTimes.length === 0 || readTimes.length === 0) && performance.now() < giveUpAt) await delay(10)
  // The call has taken at least this long.
  underWay?.times.push(performance.now() - underWay.since)
  const figures: HonestFigures = {
    jobs: spreadOf(jobTimes),
    reads: spreadOf(readTimes),
    refusals: refusals.splice(0),
    jobIds: jobIds.splice(0),
  }
  asker.postMessage(figures, [])
})
void live()
