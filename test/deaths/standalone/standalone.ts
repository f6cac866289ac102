import { join } from 'node:path'
import { expect } from 'vitest'
import { temporaryFolder } from '../../examples/standalone-server.ts'
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

/**
 * Checks that a server ends with exit code 1 and one line that names its DATA_DIR.
 * @param prepare makes the DATA_DIR, in an empty folder. @returns its path
 */
export async function checkRefusal(prepare: (folder: string) => string): Promise<void> {
  const folder = prepare(temporaryFolder())
  const server = startStandalone({ DATA_DIR: folder })
  expect(await server.ended).toBe(1)
  expect(server.output.trim().split('\n')).toEqual([
    expect.stringMatching(`^(DATA_DIR can't be used|The (backend|file store) is not ready): .*${folder}`),
  ])
}
