import { setTimeout as sleep } from 'node:timers/promises'
import { full } from '../bench.ts'
import { startMeasured } from '../measured-process.ts'
import { exampleBody } from '../workload.ts'
import { type Load, putLoad } from './load.ts'
import type { Contest, Peer } from './contests.ts'
import type { ServerCalls } from './servers/serve.ts'

/**
 * How many requests each server answers before it is measured. On a busy machine, a create by genmount took 150 us of
 * CPU time among the first 13,000 requests, 105 us up to the 19,000th, and 85 us from the 23,000th on.
 */
const warmUpRequests = full(25_000, 100)

/** Starts a server in its own process on its own core. */
export async function startServer(peer: Peer) {
  const script = new URL(`servers/${peer.isOurs ? 'genmount' : 'hand-written-hosts'}.ts`, import.meta.url)
  const server = startMeasured<ServerCalls>(script, peer, peer.host)
  return { ...server, ...(await server.ask('load')), peer }
}

export type MeasuredServer = Awaited<ReturnType<typeof startServer>>

/** What a server did in one round. */
export interface Sample {
  readonly requestsPerSecond: number
  /** Requests for each second of CPU time of the server, in all its threads, while the load lasts. */
  readonly requestsPerCpuSecond: number
  /** The same, until the last job that the requests have created has ended. */
  readonly livesPerCpuSecond: number
}

function loadFor(workload: Contest['workload'], { url, ids, peer }: MeasuredServer): Load {
  if (workload === 'get') return { url, paths: ids.map((id) => `/v1/jobs/${id}`) }
  const body = JSON.stringify({ ...exampleBody, model: peer.model ?? exampleBody.model })
  return { url, paths: ['/v1/video/generations'], body }
}

/** Measures one round. It is over when the last job that it has created has ended. */
export async function measure(
  workload: Contest['workload'],
  server: MeasuredServer,
  seconds: number,
): Promise<Sample> {
  const before = await server.ask('state')
  const { requests, seconds: took } = await putLoad(loadFor(workload, server), seconds)
  const loaded = await server.ask('state')
  const ended = await settled(server)
  return {
    requestsPerSecond: requests / took,
    requestsPerCpuSecond: (requests * 1000) / (loaded.cpuMs - before.cpuMs),
    livesPerCpuSecond: (requests * 1000) / (ended.cpuMs - before.cpuMs),
  }
}

/** Waits until the server has no running jobs. @returns its state then */
async function settled(server: MeasuredServer) {
  for (;;) {
    const state = await server.ask('state')
    if (state.openJobs === 0) return state
    await sleep(50)
  }
}

/**
 * Has the server answer requests that are not measured, so that it has compiled its code and grown its heap, like a
 * server that has run for a while. A number of requests decides when that is done and not a time, because on a busy
 * machine a server answers only a fraction of them in the same time.
 */
export async function warmUp(workload: Contest['workload'], server: MeasuredServer): Promise<void> {
  await putLoad(loadFor(workload, server), { amount: warmUpRequests })
  await settled(server)
}
