import { runVisibly } from '../processes/run-visibly.ts'
import { npmCommand } from './run.ts'

/** The reason why a release stops. The message is for the person who runs the release. */
export class ReleaseStopped extends Error {}

/** Runs npm in the current folder. */
export function npm(args: readonly string[], stdout?: 'pipe') {
  return runVisibly([...npmCommand(), ...args], stdout)
}

/** Runs npm. @returns its standard output if `stdout` is `pipe` @throws ReleaseStopped when npm fails */
export async function succeed(args: readonly string[], stdout?: 'pipe'): Promise<string> {
  const { exit, stdout: text } = await npm(args, stdout)
  if (exit !== 0) throw new ReleaseStopped(`npm ${args.join(' ')} ended with ${exit}.`)
  return text
}
