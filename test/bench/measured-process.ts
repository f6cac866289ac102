import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, launch } from '../processes/launch.ts'
import { outputOf } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'
import type { Calls } from './answer-parent.ts'

const folders = (process.env['PATH'] ?? '').split(delimiter)

/** Whether a process can be bound to one of several cores. */
export const canPin =
  availableParallelism() > 1 && folders.some((folder) => existsSync(join(folder, 'taskset')))

export interface MeasuredOptions {
  /** @default node */
  readonly runtime?: Runtime
  /** Whether it may use all cores. @default on one core, which leaves the others to the load */
  readonly onAllCores?: boolean
  /** Arguments for the runtime. */
  readonly flags?: readonly string[]
}

/** The command, on one core if a process can be bound to it. */
export function pinned(command: Command): Command {
  return canPin ? ['taskset', '-c', '0', ...command] : command
}

/** The command of a script. It finds the packages as they are published if the bench measures a build. */
export function commandOf(
  { runtime = 'node', onAllCores = false, flags = [] }: MeasuredOptions,
  ...args: string[]
) {
  const [binary, ...own] = runtimes[runtime]
  const isBuilt = process.env['BENCH_BUILT'] === '1'
  const conditions = own.filter((arg) => !isBuilt || arg !== '--conditions=@genmount/source')
  const command: Command = [binary, ...conditions, ...flags, ...args]
  return onAllCores ? command : pinned(command)
}

/** A process that answers questions one after the other, as `answerParent` says. */
export interface Measured<Own extends Calls> {
  ask<Name extends keyof Own>(
    name: Name,
    ...given: Parameters<Own[Name]>
  ): Promise<Awaited<ReturnType<Own[Name]>>>
  stop(): Promise<void>
}

/** Starts a script that calls `answerParent`, with the highest limit of open files that the system allows. */
export function startMeasured<Own extends Calls>(
  script: URL,
  options: MeasuredOptions,
  ...args: string[]
): Measured<Own> {
  const command = commandOf(options, fileURLToPath(script), ...args)
  const child = launch(['sh', '-c', 'ulimit -n $(ulimit -H -n); exec "$0" "$@"', ...command])
  return {
    ask: async (...question) => JSON.parse(await child.ask(JSON.stringify(question))),
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
