import { existsSync, statSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import type { Session } from '../program/session.ts'
import { UsageError } from '../program/usage-error.ts'

/** The options that say where outputs go. */
export interface TargetOptions {
  readonly output?: string
  readonly force?: boolean
  readonly json?: boolean
}

/** Where the outputs of a job go. */
export type OutputTarget =
  | { readonly isStdout: true }
  | { readonly isStdout: false; readonly path: string; readonly replaces: boolean }

/**
 * Reads where to write the outputs. Commands call it before they create a job that costs money.
 * @param count the expected number of outputs
 * @throws UsageError if the outputs can't be written there
 */
export function outputTarget(
  { stdout }: Session,
  { output = '.', force = false, json = false }: TargetOptions,
  count: number,
): OutputTarget {
  if (output === '-') {
    if (json) throw new UsageError('-o - and --json would both write to standard output: leave one out.')
    if (stdout.isTerminal)
      throw new UsageError('-o - would write the file to the terminal: redirect it with > or |.')
    return { isStdout: true }
  }
  if (output === '') throw new UsageError('-o must name a file, a folder, or "-".')
  const target = { isStdout: false, path: output, replaces: force } as const
  const folder = isFolder(output) ? output : dirname(output)
  if (!isFolder(folder)) throw new UsageError(`-o: the folder ${folder} does not exist.`)
  if (!isFolder(output)) for (let n = 0; n < count; n++) checkFree(numbered(output, n, count), force)
  return target
}

/** The path of output `n` of `count`. In a folder, the file is named after the job. */
export function outputPath(path: string, jobId: string, n: number, count: number, extension: string): string {
  if (!isFolder(path)) return numbered(path, n, count)
  return join(path, numbered(`${jobId.replaceAll(/[^\w-]/g, '_')}${extension}`, n, count))
}

/** @throws UsageError for a file that exists and must not be replaced */
export function checkFree(path: string, replaces: boolean): void {
  if (!replaces && existsSync(path))
    throw new UsageError(`${path} exists. Choose another name with -o, or replace it with --force.`)
}

function numbered(path: string, n: number, count: number): string {
  if (count <= 1) return path
  const extension = extname(path)
  return `${path.slice(0, path.length - extension.length)}-${n + 1}${extension}`
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
