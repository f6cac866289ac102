import { type Command, runVisibly } from './run-visibly.ts'

/** Under `npm run`, npm names its own program here. Otherwise the npm on the PATH is used. */
const npmProgram = process.env['npm_execpath']

/** @param node the Node.js program that runs npm */
export const npmCommand = (node = process.execPath): Command => (npmProgram ? [node, npmProgram] : ['npm'])

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
