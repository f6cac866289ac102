import { onTestFinished } from 'vitest'
import { type Command, launch, type Launched, type LaunchOptions } from './launch.ts'

/**
 * Launches a program. If it still runs when the test ends, it is killed.
 * @param onFinished that of the context, in `test.concurrent`
 */
export function startProcess(
  command: Command,
  options?: LaunchOptions,
  onFinished = onTestFinished,
): Launched {
  const launched = launch(command, options)
  onFinished(async () => void (await launched.kill()))
  return launched
}
