import { setTimeout as sleep } from 'node:timers/promises'
import { full } from '../bench.ts'
import { inRounds } from '../figures.ts'
import { startMeasured } from '../measured-process.ts'
import { exampleBody, host } from '../workload.ts'
import { type Load, putLoad } from './load.ts'
import type { Peer } from './peers.ts'
import type { ServerGreeting, ServerState } from './servers/announce.ts'

/**
 * How many requests each server answers before it is measured. On a busy machine, a create by genmount took 150 us of
 * CPU time among the first 13,000 requests, 105 us up to the 19,000th, and 85 us from the 23,000th on.
 */
const warmUpRequests = full(40_000, 100)

export type Workload = 'get' | 'create'

/** A server in its own process on its own core. */
export interface MeasuredServer {
  readonly peer: Peer
  readonly url: string
  readonly ids: readonly string[]
  state(): Promise<ServerState>
  stop(): Promise<void>
}

export async function startServer(peer: Peer): Promise<MeasuredServer> {
  const { runtime, script, argument = '' } = peer
  const url = new URL(`servers/${script}`, import.meta.url)
  const { greeting, ask, stop } = await startMeasured<ServerGreeting>(url, { runtime }, argument)
  return { peer, url: `http://${host}:${greeting.port}`, ids: greeting.ids, state: () => ask('state'), stop }
}

/** What a server did in one round. */
export interface Sample {
  readonly requestsPerSecond: number
  /** Requests for each second of CPU time of the server, in all its threads, while the load lasts. */
  readonly requestsPerCpuSecond: number
  /** The same, until the last job that the requests have created has ended. */
  readonly livesPerCpuSecond: number
}

function loadFor(workload: Workload, { url, ids, peer }: MeasuredServer): Load {
  if (workload === 'get') return { url, paths: ids.map((id) => `/v1/jobs/${id}`) }
  const body = JSON.stringify({ ...exampleBody, model: peer.model ?? exampleBody.model })
  return { url, paths: ['/v1/video/generations'], body }
}

/** Measures one round. It is over when the last job that it has created has ended. */
async function measure(workload: Workload, server: MeasuredServer, seconds: number): Promise<Sample> {
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
async function settled(server: MeasuredServer): Promise<ServerState> {
  for (;;) {
    const state = await server.state()
    if (state.openJobs === 0) return state
    await sleep(50)
  }
}

/** @returns the samples of all rounds, by the name of the server */
export async function measureInRounds(
  workload: Workload,
  servers: readonly MeasuredServer[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  for (const server of servers) await warmUp(workload, server, seconds)
  const samples = await inRounds(rounds, servers, (server) => measure(workload, server, seconds))
  return new Map(servers.map(({ peer }, index) => [peer.name, samples[index]!]))
}

/**
 * Has the server answer requests that are not measured, so that it has compiled its code and grown its heap, like a
 * server that has run for a while. A number of requests decides when that is done and not a time, because on a busy
 * machine a server answers only a fraction of them in the same time.
 */
async function warmUp(workload: Workload, server: MeasuredServer, seconds: number): Promise<void> {
  for (let requests = 0; requests < warmUpRequests;) {
    requests += (await putLoad(loadFor(workload, server), seconds)).requests
    await settled(server)
  }
}
