import { join } from 'node:path'
import type { Launched } from '../../processes/launch.ts'
import { repo } from '../../processes/repo.ts'
import { runtimes } from '../../processes/runtimes.ts'
import { startProcess } from '../../processes/start-process.ts'

const program = join(repo, 'examples/standalone-node/server.ts')

/** Starts the standalone example, on a free port unless `env` names one. @param before a command that runs the program */
export function startStandalone(
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
  before: readonly string[] = [],
): Launched {
  const [node, ...options] = runtimes.node
  const [first = node, ...others] = [...before, node]
  return startProcess([first, ...others, ...options, ...nodeOptions, program], { env: { PORT: '0', ...env } })
}

/** Starts the standalone example and waits until it listens. @returns the process and its address */
export async function listening(env: Readonly<Record<string, string>>, nodeOptions?: readonly string[]) {
  const process = startStandalone(env, nodeOptions)
  const [, baseUrl = ''] = await process.heard(/listens on (\S+)\n/)
  return { process, baseUrl, port: new URL(baseUrl).port }
}
