import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
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
}

/** How a process has ended: its exit code, or the signal that ended it. */
export type Exit = number | NodeJS.Signals

/** A process that was launched. */
export interface Launched {
  readonly pid: number
  readonly child: ChildProcessWithoutNullStreams
  /** Standard output and standard error so far, in the order in which they came. */
  readonly output: string
  /** Resolves to the first match in the output. Rejects when the process ends without a match. */
  heard(pattern: RegExp): Promise<RegExpExecArray>
  /** The next line of standard output. Rejects with the output when the process ends instead. */
  line(): Promise<string>
  /** Writes a line to standard input. A process that has ended does not get it. */
  tell(line: string): void
  /** Writes a line to standard input. @returns the next line of standard output */
  ask(line: string): Promise<string>
  /** Stops the process with SIGSTOP. Resolves when it stands still or has ended. */
  freeze(): Promise<void>
  /** Lets a frozen process run again. */
  thaw(): void
  /** Ends the process with SIGKILL. Resolves when it has ended. */
  kill(): Promise<Exit>
  readonly hasEnded: boolean
  readonly ended: Promise<Exit>
}

/** The variables that every program gets. Others of the test runner, such as BASE_URL, would change what it does. */
export function programEnv(): Record<string, string> {
  const inherited = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(inherited), DENO_NO_UPDATE_CHECK: '1' }
}

/** Launches a program, which runs until it ends by itself or the caller kills it. Within a test, use `startProcess`. */
export function launch([program, ...args]: Command, options: LaunchOptions = {}): Launched {
  const { env = {}, cwd = repo, logFile } = options
  const child = spawn(program, args, { cwd, env: { ...programEnv(), ...env } })
  let output = ''
  let news = Promise.withResolvers<void>()
  // Not read with node:readline, which stops the process from writing when nobody takes its lines.
  const lines: string[] = []
  let lineBegin = ''
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const ended = once(child, 'close').then(([code, signal]): Exit => code ?? signal)
  // The process may have ended before a line is written to it.
  child.stdin.on('error', () => {})

  function hear(chunk: Buffer): void {
    output += chunk
    news.resolve()
    news = Promise.withResolvers()
  }
  child.stdout.on('data', (chunk: Buffer) => {
    lines.push(...`${lineBegin}${chunk}`.split(/\r?\n/))
    lineBegin = lines.pop() ?? ''
  })
  child.stdout.on('end', () => void (lineBegin !== '' && lines.push(lineBegin)))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', hear)
  if (logFile !== undefined) child.stderr.on('data', (chunk: Buffer) => appendFileSync(logFile, chunk))

  const launched: Launched = {
    pid: child.pid ?? 0,
    child,
    ended,
    get output() {
      return output
    },
    get hasEnded() {
      return hasEnded()
    },
    async heard(pattern) {
      let isOver = false
      for (;;) {
        const match = pattern.exec(output)
        if (match) return match
        if (isOver) throw new Error(`${program} has ended without ${pattern}:\n${output}`)
        await Promise.race([news.promise, ended.then(() => (isOver = true))])
      }
    },
    async line() {
      let isOver = false
      for (;;) {
        const line = lines.shift()
        if (line !== undefined) return line
        if (isOver) throw new Error(`${program} has ended:\n${output}`)
        await Promise.race([news.promise, ended.then(() => (isOver = true))])
      }
    },
    tell: (line) => void child.stdin.write(`${line}\n`),
    ask(line) {
      launched.tell(line)
      return launched.line()
    },
    async freeze() {
      child.kill('SIGSTOP')
      while (!hasEnded() && !isStopped(launched.pid)) await delay(5)
    },
    thaw: () => void child.kill('SIGCONT'),
    kill() {
      child.kill('SIGKILL')
      return ended
    },
  }
  return launched
}

/** Whether Linux says so. Elsewhere the signal has to be enough. */
function isStopped(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  // The state comes after the name: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
  return !existsSync('/proc/self/stat') || /\) [TZ] /.test(readFileSync(file, 'utf8'))
}
