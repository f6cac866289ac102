import type { Command } from '../processes/launch.ts'
import type { Runtime } from '../processes/runtimes.ts'
import { scriptCommand } from '../processes/start-server.ts'

/** The command that does a task of `run-task.ts` in a folder. */
export function taskCommand(runtime: Runtime, task: string, folder: string, ...args: string[]): Command {
  return scriptCommand(runtime, new URL('run-task.ts', import.meta.url), task, folder, ...args)
}
