import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cores, isInstalled, pinned } from './pinned.ts'
import { apiKey } from './servers/workload.ts'

/** The requests that are sent again and again: the paths in turn, each with the body if there is one. */
export interface Load {
  readonly url: string
  readonly paths: readonly string[]
  readonly body?: string
}

/** The result of a load. */
export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  /** How many requests were refused, timed out or lost their connection. */
  readonly failures: number
}

const connections = 32

export const generator = isInstalled('wrk') ? 'wrk' : 'autocannon'

const run = promisify(execFile)
const besides = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Puts load on a server, from a separate process on the core that the server does not use. */
export async function putLoad(load: Load, seconds: number): Promise<LoadResult> {
  const command = generator === 'wrk' ? wrk(load, seconds) : autocannon(load, seconds)
  const [binary, ...args] = pinned(cores.load, command)
  const { stdout } = await run(binary, args, { maxBuffer: 2 ** 24 })
  const last = stdout.trim().split('\n').at(-1) ?? ''
  const result = JSON.parse(last) as LoadResult
  if (result.failures > 0)
    throw new Error(`${load.url} failed ${result.failures} of ${result.requests} requests.`)
  return result
}

function wrk({ url, paths, body = '' }: Load, seconds: number): string[] {
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', besides('load.lua'), url]
  return ['wrk', ...options, '--', apiKey, body, ...paths]
}

function autocannon(load: Load, seconds: number): string[] {
  return [process.execPath, besides('autocannon-load.ts'), JSON.stringify({ load, connections, seconds })]
}
