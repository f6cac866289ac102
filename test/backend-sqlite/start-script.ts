import { fileURLToPath } from 'node:url'
import { type Runtime, runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'

export interface ScriptOptions {
  /** @default 'node' */
  readonly runtime?: Runtime
  /** Flags of the runtime. */
  readonly flags?: readonly string[]
  /** A command that gets the one to run as its arguments. */
  readonly within?: readonly string[]
}

/** Starts a script of `processes/`, which goes with the test. */
export function startScript(script: string, args: readonly string[], options: ScriptOptions = {}) {
  const { runtime = 'node', flags = [], within = [] } = options
  const path = fileURLToPath(new URL(`processes/${script}`, import.meta.url))
  const [program = '', ...rest] = [...within, ...runtimes[runtime], ...flags, path, ...args]
  return startProcess([program, ...rest])
}

/** Starts a process that does one of the tasks of `processes/run-task.ts` on a file. */
export const startTask = (task: string, fileAndMore: readonly string[], options?: ScriptOptions) =>
  startScript('run-task.ts', [task, ...fileAndMore], options)
