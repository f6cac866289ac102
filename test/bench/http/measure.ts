import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, putLoad } from './load.ts'
import type { ServerProcess } from './server-process.ts'
import type { ServerState } from './servers/control.ts'
import { exampleBody } from './servers/workload.ts'

/**
 * How many requests each server answers before it is measured. On a busy machine, a create by genmount took 150 us of
 * CPU time among the first 13,000 requests, 105 us up to the 19,000th, and 85 us from the 23,000th on.
 */
const warmUpRequests = 40_000

export type Workload = 'get' | 'create'

/** What a server did in one round. */
export interface Sample {
  readonly requestsPerSecond: number
  /** Requests for each second of CPU time of the server, in all its threads, while the load lasts. */
  readonly requestsPerCpuSecond: number
  /** The same, until the last job that the requests have created has ended. */
  readonly livesPerCpuSecond: number
}

export function loadFor(workload: Workload, { url, ids, peer }: ServerProcess): Load {
  if (workload === 'get') return { url, paths: ids.map((id) => `/v1/jobs/${id}`) }
  const model = peer.isOurs ? (peer.model ?? exampleBody.model) : exampleBody.model
  return { url, paths: ['/v1/video/generations'], body: JSON.stringify({ ...exampleBody, model }) }
}

/** Measures one round. It is over when the last job that it has created has ended. */
export async function measure(workload: Workload, server: ServerProcess, seconds: number): Promise<Sample> {
  const before = await server.state()
  const { requests, seconds: took } = await putLoad(loadFor(workload, server), seconds)
  const loaded = await server.state()
  const ended = await settled(server)
  return {
    requestsPerSecond: requests / took,
    requestsPerCpuSecond: (requests * 1000) / (loaded.cpuMs - before.cpuMs),
    livesPerCpuSecond: (requests * 1000) / (ended.cpuMs - before.cpuMs),
  }
}

/** Waits until the server has no running jobs. @returns its state then */
export async function settled(server: ServerProcess): Promise<ServerState> {
  for (;;) {
    const state = await server.state()
    if (state.openJobs === 0) return state
    await sleep(50)
  }
}

/** Measures the servers in turn, in several rounds. Every second round has the reverse order. */
export async function measureInRounds(
  workload: Workload,
  servers: readonly ServerProcess[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const samples = new Map<string, Sample[]>(servers.map(({ peer }) => [peer.name, []]))
  for (const server of servers) await warmUp(workload, server, seconds)
  for (let round = 0; round < rounds; round++) {
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      samples.get(server.peer.name)!.push(await measure(workload, server, seconds))
    }
  }
  return samples
}

/**
 * Has the server answer requests that are not measured, so that it has compiled its code and grown its heap, like a
 * server that has run for a while. A number of requests decides when that is done and not a time, because on a busy
 * machine a server answers only a fraction of them in the same time.
 */
async function warmUp(workload: Workload, server: ServerProcess, seconds: number): Promise<void> {
  for (let requests = 0; requests < warmUpRequests;) {
    requests += (await putLoad(loadFor(workload, server), seconds)).requests
    await settled(server)
  }
}
