import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../free-port.ts'
import { type Command, launch } from '../../processes/launch.ts'
import { processCpuMs, residentBytes } from '../process-cpu.ts'
import { host } from '../workload.ts'

/** What a server has taken until it answered its first request. */
export interface ColdStart {
  /** From the start of the process on, in milliseconds. */
  readonly ms: number
  readonly cpuMs: number
  readonly megabytes: number
}

/** Starts a server, asks it for a job that it does not have, and ends it. @param commandOn gets the port for the server */
export async function coldStart(commandOn: (port: number) => Command): Promise<ColdStart> {
  const port = await freePort()
  const from = performance.now()
  const server = launch(commandOn(port))
  try {
    let status = await statusOf(port)
    for (; status === undefined && !server.hasEnded; status = await statusOf(port)) await sleep(1)
    const ms = performance.now() - from
    if (status !== 404) throw new Error(`The first request got ${status}:\n${server.output}`)
    return { ms, cpuMs: processCpuMs(server.pid), megabytes: residentBytes(server.pid) / 1e6 }
  } finally {
    await server.kill()
  }
}

/** @returns `undefined` while nobody listens */
function statusOf(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: 'Bearer key' }
    get({ port, host, path: '/v1/jobs/none', headers, agent: false }, (reply) => {
      reply.resume()
      resolve(reply.statusCode)
    }).on('error', () => resolve(undefined))
  })
}
