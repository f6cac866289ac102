/**
 * A worker thread that uses the server like a client who has nothing to do with the attack: again and again
 * it creates a job, waits for it, reads it and fetches its output. To the message `report` it answers with what it saw
 * since the last report, as soon as it has seen one of each.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as delay } from 'node:timers/promises'
import { keyOf } from './connections.ts'

/** What the honest client saw. */
export type HonestFigures = ReturnType<typeof figures>

const { origin } = workerData as { origin: string }
/** After this time, in milliseconds, a call counts as not answered, so that the client can continue. */
const patienceMs = 4000
const headers = { authorization: `Bearer ${keyOf('honest')}`, 'content-type': 'application/json' }
/** How long each call took, in milliseconds. */
const times = { jobs: [] as number[], reads: [] as number[], outputs: [] as number[] }
const refusals: string[] = []
const jobIds: string[] = []
/** The call that is not answered yet. */
let underWay: { readonly kind: keyof typeof times; readonly since: number } | undefined

/** @returns the id of the job */
async function timed(
  kind: keyof typeof times,
  path: string,
  init?: RequestInit,
): Promise<string | undefined> {
  const since = performance.now()
  underWay = { kind, since }
  try {
    const response = await fetch(origin + path, { headers, signal: AbortSignal.timeout(patienceMs), ...init })
    const text = await response.text()
    const isDone = kind === 'outputs' || text.includes('"status":"completed"')
    if (response.status !== 200 || !isDone) refusals.push(`${path}: ${response.status} ${text.slice(0, 200)}`)
    return isDone && kind !== 'outputs' ? (JSON.parse(text) as { id: string }).id : undefined
  } catch (error) {
    refusals.push(`${path}: ${String(error)}`)
    return undefined
  } finally {
    times[kind].push(performance.now() - since)
    underWay = undefined
  }
}

async function live(): Promise<never> {
  const body = JSON.stringify({ model: 'anything', prompt: 'a kite' })
  for (;;) {
    const id = await timed('jobs', '/v1/generate?wait=true', { method: 'POST', body })
    if (id !== undefined) jobIds.push(id)
    for (let read = id === undefined ? 4 : 0; read < 4; read++) {
      await timed('reads', `/v1/jobs/${id}`)
      await delay(10)
    }
    if (id !== undefined) await timed('outputs', `/v1/files/${id}`)
    await delay(10)
  }
}

function figures() {
  // The call has taken at least this long.
  if (underWay) times[underWay.kind].push(performance.now() - underWay.since)
  const spreadOf = (all: number[]) => {
    const sorted = all.splice(0).toSorted((a, b) => a - b)
    return {
      count: sorted.length,
      median: sorted[Math.floor(sorted.length / 2)] ?? 0,
      slowest: sorted.at(-1) ?? 0,
    }
  }
  return {
    jobs: spreadOf(times.jobs),
    reads: spreadOf(times.reads),
    outputs: spreadOf(times.outputs),
    /** The calls that failed: the unexpected answer, or the reason why there was none. */
    refusals: refusals.splice(0),
    /** The ids of the jobs that were created. */
    jobIds: jobIds.splice(0),
  }
}

parentPort!.on('message', async () => {
  // On a slow machine the first answers come late.
  const giveUpAt = performance.now() + patienceMs
  const isWaiting = () => Object.values(times).some((seen) => seen.length === 0)
  while (isWaiting() && performance.now() < giveUpAt) await delay(10)
  parentPort!.postMessage(figures(), [])
})
void live()
