import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { runtimes } from '../../processes/runtimes.ts'
import type { OutageOrder, ServerSettings } from '../service/server-settings.ts'

export type Runtime = keyof typeof runtimes

/** The code of a server process: that of today, or that of before the newest migrations of both databases. */
export type Release = keyof typeof programs

/** A period by the clock of the system. Without `to` it has not ended. */
export interface Span {
  readonly from: number
  readonly to?: number
}

/** A server process with a service. */
export interface StartedServer {
  readonly pid: number
  readonly release: Release
  /** The address where it listens. Rejects when the process ends before it listens. */
  readonly address: Promise<string>
  /** The address, from when it is known until the process has ended. */
  readonly knownAddress: string | undefined
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>
  readonly hasEnded: boolean
  /** Kills the process with SIGKILL. Resolves when it has ended. */
  kill(): Promise<unknown>
  /** Closes the service, so that the process ends. A process that does not end within 10 s is killed. */
  close(): Promise<unknown>
  /** Makes a store unreachable for this process. */
  tell(order: OutageOrder): void
  /** Stops the process with SIGSTOP. Resolves when it stands still or has ended. */
  freeze(): Promise<void>
  /** Lets the process run again. */
  thaw(): void
  readonly isFrozen: boolean
  /** The periods in which the process stood still. */
  readonly frozen: readonly Span[]
  /** When the process was killed, or else when it ended. `undefined` while it is alive. */
  readonly diedAt: number | undefined
  /** The exit code of the process if it ended by itself and not by a signal: 0 if it ended without an error. */
  readonly exitCode: number | null
}

const programs = {
  newest: join(import.meta.dirname, '../service/server.ts'),
  older: join(import.meta.dirname, '../older/older-server.js'),
} as const
const longestCloseMs = 10_000

/** Starts a server. Its standard error is appended to `logFile`. */
export function startServer(
  settings: ServerSettings,
  logFile: string,
  runtime: Runtime = 'node',
  release: Release = 'newest',
): StartedServer {
  const [binary, ...flags] = runtimes[runtime]
  const log = openSync(logFile, 'a')
  const child = spawn(binary, [...flags, programs[release], JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', log],
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
  })
  closeSync(log)
  let diedAt: number | undefined
  let knownAddress: string | undefined
  const frozen: { from: number; to?: number }[] = []
  const ended = once(child, 'exit').then(() => (diedAt ??= Date.now()))
  const address = firstLineOf(child)
  address.then(
    (told) => (knownAddress = told),
    () => {},
  )
  // The process may have ended before a command is written to it.
  child.stdin?.on('error', () => {})
  // Code that needs the address awaits it and gets the error. For others it is no error that a server is
  // killed before it listens.
  address.catch(() => {})
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  function kill(): Promise<unknown> {
    if (!hasEnded()) {
      diedAt ??= Date.now()
      child.kill('SIGKILL')
    }
    return ended
  }

  return {
    pid: child.pid ?? 0,
    release,
    address,
    ended,
    get knownAddress() {
      return hasEnded() ? undefined : knownAddress
    },
    get hasEnded() {
      return hasEnded()
    },
    kill,
    async close() {
      child.stdin?.write('close\n')
      const timer = delay(longestCloseMs, undefined, { ref: false })
      await Promise.race([ended, timer])
      return kill()
    },
    tell: (order) => void child.stdin?.write(`${JSON.stringify(order)}\n`),
    async freeze() {
      if (hasEnded()) return
      frozen.push({ from: Date.now() })
      await stopped(child)
    },
    thaw() {
      child.kill('SIGCONT')
      const last = frozen.at(-1)
      if (last) last.to ??= Date.now()
    },
    get isFrozen() {
      return frozen.length > 0 && frozen.at(-1)?.to === undefined
    },
    frozen,
    get diedAt() {
      return diedAt
    },
    get exitCode() {
      return child.exitCode
    },
  }
}

/** Stops a process with SIGSTOP. Resolves when it stands still or has ended. */
export async function stopped(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP')
  // The state comes after the name: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
  const stands = () => /\) [TZ] /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))
  while (child.exitCode === null && child.signalCode === null && !stands()) await delay(5)
}

async function firstLineOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout) for await (const line of createInterface({ input: stdout })) return line
  throw new Error('The server ended before it listened.')
}
