import { spawnSync } from 'node:child_process'

/** Why a release goes no further. Its message is for whoever runs it. */
export class ReleaseStopped extends Error {}

/** Runs npm in the current folder. Under `npm run` npm tells where its program is; elsewhere it is the one on the PATH. */
export function npm(args: readonly string[], stdout: 'inherit' | 'pipe' = 'inherit') {
  const program = process.env['npm_execpath']
  const [command, first] = program ? [process.execPath, [program]] : ['npm', []]
  const stdio = ['ignore' as const, stdout, 'inherit' as const]
  return spawnSync(command, [...first, ...args], { stdio, encoding: 'utf8', maxBuffer: 1e8 })
}

/** @throws ReleaseStopped when npm fails */
export function succeed(args: readonly string[], stdout?: 'pipe'): string {
  const { status, stdout: text } = npm(args, stdout)
  if (status !== 0) throw new ReleaseStopped(`npm ${args.join(' ')} ended with ${status}.`)
  return text
}
