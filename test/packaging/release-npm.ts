import { spawnSync } from 'node:child_process'

/** The reason why a release stops. The message is for the person who runs the release. */
export class ReleaseStopped extends Error {}

/**
 * Runs npm in the current folder. Under `npm run`, npm names its own program in a variable, and that program is used. Otherwise
 * it is the npm on the PATH.
 */
export function npm(args: readonly string[], stdout: 'inherit' | 'pipe' = 'inherit') {
  const program = process.env['npm_execpath']
  const [command, first] = program ? [process.execPath, [program]] : ['npm', []]
  const stdio = ['ignore' as const, stdout, 'inherit' as const]
  return spawnSync(command, [...first, ...args], { stdio, encoding: 'utf8', maxBuffer: 1e8 })
}

/** Runs npm. @returns its standard output if `stdout` is `pipe` @throws ReleaseStopped when npm fails */
export function succeed(args: readonly string[], stdout?: 'pipe'): string {
  const { status, stdout: text } = npm(args, stdout)
  if (status !== 0) throw new ReleaseStopped(`npm ${args.join(' ')} ended with ${status}.`)
  return text
}
