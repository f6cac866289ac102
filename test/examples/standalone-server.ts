import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { type Exit, launch, type Launched } from '../processes/launch.ts'
import { runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'
import { bundledProgram } from '../suite/bundled-programs.ts'

export const headers = { authorization: 'Bearer dev-key', 'content-type': 'application/json' }

const source = 'examples/standalone-node/server.ts'

async function command(nodeOptions: readonly string[] = [], before: readonly string[] = []) {
  const [node, ...options] = runtimes.node
  const [first = node, ...others] = [...before, node]
  return [first, ...others, ...options, ...nodeOptions, await bundledProgram(source)] as const
}

/** Starts the standalone example from its source, with `@genmount/provider-esrgan`, on a free port. */
export function startWithEsrgan(): Launched {
  return startProcess([...runtimes.node, source], { env: { PORT: '0' } })
}

/**
 * Starts the standalone example as where `@genmount/provider-esrgan` is not installed, on a free port unless `env` names
 * one. @param before a command that runs the program
 */
export async function startStandalone(
  env: Readonly<Record<string, string>>,
  nodeOptions?: readonly string[],
  before?: readonly string[],
): Promise<Launched> {
  return startProcess(await command(nodeOptions, before), { env: { PORT: '0', ...env } })
}

/**
 * The variables that make an example that starts standalone servers start the bundle, in which
 * `@genmount/provider-esrgan` is not found either. A start takes half the CPU time then. The deep suite starts the source.
 */
export async function envWithBundle(): Promise<Readonly<Record<string, string>>> {
  const bundle = pathToFileURL(await bundledProgram(source)).href
  const hooks = `import { registerHooks } from 'node:module'
  registerHooks({
    resolve: (name, context, next) => next(name.endsWith('/${source}') ? '${bundle}' : name, context),
  })`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hooks)}` }
}

async function address(process: Launched) {
  const [, baseUrl = ''] = await process.heard(/listens on (\S+)\n/)
  return { process, baseUrl, port: new URL(baseUrl).port }
}

/** As {@link startStandalone}, and waits until it listens. @returns the process and its address */
export const listening = async (env: Readonly<Record<string, string>>, nodeOptions?: readonly string[]) =>
  address(await startStandalone(env, nodeOptions))

/** As {@link listening}, for a server that the caller kills. */
export const launched = async (env: Readonly<Record<string, string>>) =>
  address(launch(await command(), { env: { PORT: '0', ...env } }))

/**
 * Starts the standalone example, and expects that it exits with 1.
 * @returns the lines that it has printed
 */
export async function linesOfFailure(
  ...start: Parameters<typeof startStandalone>
): Promise<readonly string[]> {
  const server = await startStandalone(...start)
  expect(await server.ended).toBe(1)
  return server.output.trim().split('\n')
}

/** Sends a signal. @returns how the process has ended, and how many milliseconds it needed for that */
export async function signalled({ child, ended }: Launched, signal: NodeJS.Signals) {
  const from = performance.now()
  child.kill(signal)
  const exit: Exit = await ended
  return { exit, tookMs: performance.now() - from }
}

/** Creates a job, with up to 5 attempts: on a busy machine the store may not answer in time, and then there is no job. */
export async function create(url: string, input: object, more: Readonly<Record<string, string>> = {}) {
  const body = JSON.stringify(input)
  for (let tries = 1; ; tries++) {
    const reply = await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })
    const job = await reply.json()
    if (job.error?.code !== 'store_unavailable' || tries === 5) return { status: reply.status, job }
  }
}

export async function read(url: string) {
  return (await fetch(url, { headers })).json()
}
