import { setTimeout as sleep } from 'node:timers/promises'
import { apiKey, exampleBody } from '../workload.ts'
import type { StartedCluster } from './started-cluster.ts'

/** How long after its submit a task is done: long enough for the waiter to wait, and for callbacks to be spread. */
const afterMs = 1500
/** A callback that comes within a second of another one for the same job is put off, so each job gets one. */
const atATime = 8

/**
 * Measures the time from a task's being done, when its callback is sent to the second node, to the answer of the request
 * that waits for the job at the first node. Each is a request over HTTP.
 * @returns the times in milliseconds
 */
export async function wakingTimes(nodes: StartedCluster, count: number): Promise<readonly number[]> {
  const [here, there] = nodes
  await here!.ask('callBack', there!.ours, afterMs)
  const answeredAt = new Map<string, number>()
  let left = count
  const wait = async () => {
    while (left-- > 0) {
      const answer = await fetch(`${here!.ours}/v1/video/generations?wait=true`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...exampleBody, model: 'bench-called' }),
      })
      const { id, status } = (await answer.json()) as { id: string; status: string }
      if (status !== 'completed') throw new Error(`Job ${id} was answered as ${status}.`)
      answeredAt.set(id, performance.timeOrigin + performance.now())
    }
  }
  await Promise.all(
    Array.from({ length: atATime }, async (_, index) => {
      await sleep((afterMs / atATime) * index)
      await wait()
    }),
  )
  const doneAt = await here!.ask('doneAt')
  return doneAt.map(([id, at]) => answeredAt.get(id)! - at)
}
