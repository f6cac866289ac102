import { fileURLToPath } from 'node:url'
import type { Command } from '../../processes/launch.ts'
import { outputOf } from '../../processes/run-program.ts'
import { isInstalled, pinned } from '../measured-process.ts'
import { apiKey } from '../workload.ts'

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

const besides = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Puts load on a server, from a separate process on the core that the server does not use. */
export async function putLoad(load: Load, seconds: number): Promise<LoadResult> {
  const command = generator === 'wrk' ? wrk(load, seconds) : autocannon(load, seconds)
  const printed = await outputOf(pinned('load', command))
  const result = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as LoadResult
  if (result.failures > 0)
    throw new Error(`${load.url} failed ${result.failures} of ${result.requests} requests.`)
  return result
}

function wrk({ url, paths, body = '' }: Load, seconds: number): Command {
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', besides('load.lua'), url]
  return ['wrk', ...options, '--', apiKey, body, ...paths]
}

function autocannon(load: Load, seconds: number): Command {
  return [process.execPath, besides('autocannon-load.ts'), JSON.stringify({ load, connections, seconds })]
}
