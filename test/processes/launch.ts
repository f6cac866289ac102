import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { repo } from './repo.ts'

export type Command = readonly [program: string, ...args: string[]]

export interface LaunchOptions {
  /** Variables beside those of {@link programEnv}. */
  readonly env?: Readonly<Record<string, string>>
  /** @default the root of the repository */
  readonly cwd?: string
  /** The file to which standard error is appended. */
  readonly logFile?: string
  /** Whether the process leads a group of its own, which a signal to the negative `pid` reaches as a whole. */
  readonly leadsGroup?: boolean
}

/** How a process has ended: its exit code, or the signal that ended it. */
export type Exit = number | NodeJS.Signals

export type Launched = ReturnType<typeof launch>

/** The variables that every program gets. Others of the test runner, such as BASE_URL, would change what it does. */
export function programEnv(): Record<string, string> {
  const inherited = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(inherited), DENO_NO_UPDATE_CHECK: '1' }
}

/** Launches a program, which runs until it ends by itself or the caller kills it. Within a test, use `startProcess`. */
export function launch([program, ...args]: Command, options: LaunchOptions = {}) {
  const { env = {}, cwd = repo, logFile, leadsGroup = false } = options
  const child = spawn(program, args, { cwd, env: { ...programEnv(), ...env }, detached: leadsGroup })
  const pid = child.pid ?? 0
  let output = ''
  let news = Promise.withResolvers<void>()
  // Not read with node:readline, which stops the process from writing when nobody takes its lines.
  const lines: string[] = []
  let lineBegin = ''
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const ended = once(child, 'close').then(([code, signal]): Exit => code ?? signal)
  // The process may have ended before a line is written to it.
  child.stdin.on('error', () => {})

  function hear(text: string): void {
    output += text
    news.resolve()
    news = Promise.withResolvers()
  }
  hearText(child.stdout, (text) => {
    lines.push(...(lineBegin + text).split(/\r?\n/))
    lineBegin = lines.pop() ?? ''
    hear(text)
  })
  child.stdout.on('end', () => void (lineBegin !== '' && lines.push(lineBegin)))
  hearText(child.stderr, hear)
  if (logFile !== undefined) child.stderr.on('data', (chunk: Buffer) => appendFileSync(logFile, chunk))

  /** Resolves to what `take` finds in the output. Rejects when the process ends without it. */
  async function awaited<T>(what: string, take: () => T | null | undefined): Promise<T> {
    for (let isOver = false; ; await Promise.race([news.promise, ended.then(() => (isOver = true))])) {
      const taken = take()
      if (taken !== null && taken !== undefined) return taken
      if (isOver) throw new Error(`${program} has ended without ${what}:\n${output}`)
    }
  }
  /** The next line of standard output. Rejects with the output when the process ends instead. */
  const line = () => awaited('another line', () => lines.shift())
  /** Writes a line to standard input. A process that has ended does not get it. */
  const tell = (text: string) => void child.stdin.write(`${text}\n`)

  return {
    pid,
    child,
    ended,
    /** Standard output and standard error so far, in the order in which they came. */
    get output() {
      return output
    },
    get hasEnded() {
      return hasEnded()
    },
    /** Resolves to the first match in the output. Rejects when the process ends without a match. */
    heard: (pattern: RegExp) => awaited(String(pattern), () => pattern.exec(output)),
    line,
    tell,
    /** Writes a line to standard input. @returns the next line of standard output */
    ask(text: string) {
      tell(text)
      return line()
    },
    /** Stops the process with SIGSTOP. Resolves when it stands still or has ended. */
    async freeze() {
      child.kill('SIGSTOP')
      while (!hasEnded() && !isStopped(pid)) await delay(5)
    },
    /** Lets a frozen process run again. */
    thaw: () => void child.kill('SIGCONT'),
    /** Ends the process with SIGKILL. Resolves when it has ended. */
    kill() {
      child.kill('SIGKILL')
      return ended
    },
  }
}

/** Calls `hear` with the text of a stream. A character may be split over two chunks. */
function hearText(stream: Readable, hear: (text: string) => void): void {
  const decoder = new TextDecoder()
  stream.on('data', (chunk: Buffer) => hear(decoder.decode(chunk, { stream: true })))
}

/** Whether Linux says so. Elsewhere the signal has to be enough. */
function isStopped(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  // The state comes after the name: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
  return !existsSync('/proc/self/stat') || /\) [TZ] /.test(readFileSync(file, 'utf8'))
}
