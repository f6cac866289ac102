import { join } from 'node:path'
import { expect } from 'vitest'
import { type Command, type Exit, launch, type Launched } from '../processes/launch.ts'
import { repo } from '../processes/repo.ts'
import { runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'

export const headers = { authorization: 'Bearer dev-key', 'content-type': 'application/json' }

const program = join(repo, 'examples/standalone-node/server.ts')

function command(nodeOptions: readonly string[], before: readonly string[] = []): Command {
  const [node, ...options] = runtimes.node
  const [first = node, ...others] = [...before, node]
  return [first, ...others, ...options, ...nodeOptions, program]
}

/** Starts the standalone example, on a free port unless `env` names one. @param before a command that runs the program */
export function startStandalone(
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
  before?: readonly string[],
): Launched {
  return startProcess(command(nodeOptions, before), { env: { PORT: '0', ...env } })
}

const hidesEsrgan = `import { registerHooks } from 'node:module'
  registerHooks({
    resolve: (name, context, next) => next(name.replace('provider-esrgan', 'no-such-package'), context),
  })`

/** Lets the standalone example start as where `@genmount/provider-esrgan` is not installed, for a fifth less CPU time. */
export const withoutEsrgan = ['--import', `data:text/javascript,${encodeURIComponent(hidesEsrgan)}`]

/** The same for all processes that an example starts, as a variable of its environment. */
export const envWithoutEsrgan = { NODE_OPTIONS: withoutEsrgan.join(' ') }

async function address(process: Launched) {
  const [, baseUrl = ''] = await process.heard(/listens on (\S+)\n/)
  return { process, baseUrl, port: new URL(baseUrl).port }
}

/** Starts the standalone example {@link withoutEsrgan} and waits until it listens. @returns the process and its address */
export const listening = (env: Readonly<Record<string, string>>, nodeOptions: readonly string[] = []) =>
  address(startStandalone(env, [...withoutEsrgan, ...nodeOptions]))

/** As {@link listening}, for a server that the caller kills. */
export const launched = (env: Readonly<Record<string, string>>) =>
  address(launch(command(withoutEsrgan), { env: { PORT: '0', ...env } }))

/**
 * Starts the standalone example {@link withoutEsrgan}, and expects that it exits with 1.
 * @returns the lines that it has printed
 */
export async function linesOfFailure(
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
  before?: readonly string[],
): Promise<readonly string[]> {
  const server = startStandalone(env, [...withoutEsrgan, ...nodeOptions], before)
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
