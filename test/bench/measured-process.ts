import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, launch } from '../processes/launch.ts'
import { outputOf } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'

/** The core for the servers, and the core for the process that puts load on them. */
export const cores = { server: '0', load: '1', both: '0,1' } as const

export const canPin = availableParallelism() > 1 && isInstalled('taskset')

/** The command, bound to a core if the system can do that. */
export function pinned(core: keyof typeof cores, command: Command): Command {
  return canPin ? ['taskset', '-c', cores[core], ...command] : command
}

/** Whether a program of this name is on the PATH. */
export function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => existsSync(join(folder, program)))
}

export interface MeasuredOptions {
  /** @default node */
  readonly runtime?: Runtime
  /** @default server */
  readonly core?: keyof typeof cores
  /** Arguments for the runtime. */
  readonly flags?: readonly string[]
}

/** The command of a script. It finds the packages as they are published if the bench measures a build. */
function commandOf({ runtime = 'node', core = 'server', flags = [] }: MeasuredOptions, ...args: string[]) {
  const [binary, ...own] = runtimes[runtime]
  const isBuilt = process.env['BENCH_BUILT'] === '1'
  const conditions = own.filter((arg) => !isBuilt || arg !== '--conditions=@genmount/source')
  return pinned(core, [binary, ...conditions, ...flags, ...args])
}

/** A process that answers questions one after the other. */
export interface Measured<Greeting = unknown> {
  /** What it has printed first. */
  readonly greeting: Greeting
  ask<Answer>(question: unknown): Promise<Answer>
  stop(): Promise<void>
}

/** Starts a script that calls `answerParent`, with the highest limit of open files that the system allows. */
export async function startMeasured<Greeting>(
  script: URL,
  options: MeasuredOptions,
  ...args: string[]
): Promise<Measured<Greeting>> {
  const command = commandOf(options, fileURLToPath(script), ...args)
  const child = launch(['sh', '-c', 'ulimit -n $(ulimit -H -n); exec "$0" "$@"', ...command])
  return {
    greeting: JSON.parse(await child.line()) as Greeting,
    ask: async <Answer>(question: unknown) => JSON.parse(await child.ask(JSON.stringify(question))) as Answer,
    async stop() {
      child.child.stdin.end()
      await child.ended
    },
  }
}

/** Runs Node to its end. @returns what it has printed */
export function outputOfNode(options: MeasuredOptions, ...args: string[]): Promise<string> {
  return outputOf(commandOf(options, ...args), { cwd: import.meta.dirname })
}
