import { fileURLToPath } from 'node:url'
import { launch, type Command, type Launched, type LaunchOptions } from './launch.ts'
import { type Runtime, runtimes } from './runtimes.ts'
import { startProcess } from './start-process.ts'

/** What a server prints, as one line of JSON, when it listens. */
export interface Greeting {
  readonly port: number
}

/** The command that runs a script from source on a runtime. */
export function scriptCommand(runtime: Runtime, script: URL, ...args: readonly string[]): Command {
  return [...runtimes[runtime], fileURLToPath(script), ...args]
}

/** Resolves when the process has printed its greeting. Kills a process that prints something else. */
export async function listening<Said extends Greeting = Greeting>(process: Launched) {
  try {
    const greeting = JSON.parse(await process.line()) as Said
    return { process, origin: `http://127.0.0.1:${greeting.port}`, greeting }
  } catch (error) {
    await process.kill()
    throw error
  }
}

/** Starts a server that goes with the test. It prints a {@link Greeting} when it listens. */
export function startServer<Said extends Greeting = Greeting>(command: Command, options?: LaunchOptions) {
  return listening<Said>(startProcess(command, options))
}

/** As {@link startServer}, for a server that the caller kills. */
export function launchServer<Said extends Greeting = Greeting>(command: Command, options?: LaunchOptions) {
  return listening<Said>(launch(command, options))
}
