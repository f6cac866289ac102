import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export const repo = join(import.meta.dirname, '../..')

/** A program that was started, and its output so far. */
export interface Started {
  readonly process: ChildProcess
  /** Standard output and standard error so far, in the order in which they came. */
  readonly said: () => string
  /** Resolves to the first match in the output. Rejects when the program ends without a match. */
  heard(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves to the exit code. */
  readonly exited: Promise<number | null>
}

/** Starts a program. If the program still runs after the test, it is killed. */
export function start(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
  cwd = repo,
): Started {
  // The program gets only these variables: others of the test runner, such as BASE_URL, would change what it does.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(program, args, {
    cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let news = Promise.withResolvers<void>()
  const exited = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })

  async function heard(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(text)
      if (match) return match
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`It ended and never said ${pattern}:\n${text}`)
      await Promise.race([news.promise, exited])
    }
  }

  function hear(chunk: Buffer): void {
    text += chunk
    news.resolve()
    news = Promise.withResolvers()
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', hear)
  return { process: child, said: () => text, heard, exited }
}
