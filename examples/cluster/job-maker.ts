import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** How long after one another the jobs are created, in milliseconds. */
const everyMs = 300
const pollEveryMs = 500
const longestPollMs = 5000
/** How long a job may take in all before it counts as lost, in milliseconds. */
const longestLifeMs = 120_000

interface Ends {
  completed: number
  failed: number
  lost: number
}

/** A client that creates jobs through the proxy and polls each until it has ended. */
export function jobMaker(baseUrl: string, key: string) {
  const ends: Ends = { completed: 0, failed: 0, lost: 0 }
  let created = 0

  async function ask(
    path: string,
    request: RequestInit = {},
  ): Promise<{ id: string; status: string } | undefined> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...request.headers }
    const limit = AbortSignal.timeout(longestPollMs)
    const answer = await fetch(`${baseUrl}${path}`, { ...request, headers, signal: limit }).catch(
      () => undefined,
    )
    return answer?.ok ? answer.json() : undefined
  }

  async function live(index: number): Promise<void> {
    const input = { model: 'procedural-image', prompt: `picture ${index}`, resolution: '480p' }
    const body = JSON.stringify({ ...input, simulate_latency_ms: 2000 + 500 * (index % 7) })
    // The node may die before it answers. With the same key a second request never makes a second job.
    const headers = { 'idempotency-key': randomUUID() }
    const givesUpAt = Date.now() + longestLifeMs
    let job = await ask('/v1/images/generations', { method: 'POST', headers, body })
    while (!job && Date.now() < givesUpAt) {
      await delay(pollEveryMs)
      job = await ask('/v1/images/generations', { method: 'POST', headers, body })
    }
    created++
    while (job && job.status === 'processing' && Date.now() < givesUpAt) {
      await delay(pollEveryMs)
      job = (await ask(`/v1/jobs/${job.id}`)) ?? job
    }
    if (job?.status === 'completed') ends.completed++
    else if (job?.status === 'failed') ends.failed++
    else ends.lost++
  }

  return {
    /** Creates the jobs one after the other. Resolves when all have ended. */
    async make(count: number): Promise<Ends> {
      const lives: Promise<void>[] = []
      for (let index = 0; index < count; index++) {
        lives.push(live(index))
        await delay(everyMs)
      }
      await Promise.all(lives)
      return ends
    },
    /** How many jobs have been created, and have ended so far. */
    line: () => `${created} created, ${ends.completed} completed, ${ends.failed} failed`,
  }
}
