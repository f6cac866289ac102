import { onTestFinished } from 'vitest'
import { type Command, launch, type Launched, type LaunchOptions } from './launch.ts'

/** Launches a program. If it still runs when the test ends, it is killed. */
export function startProcess(command: Command, options?: LaunchOptions): Launched {
  const launched = launch(command, options)
  onTestFinished(async () => void (await launched.kill()))
  return launched
}
