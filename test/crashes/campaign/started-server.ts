import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { runtimes } from '../../runtimes.ts'
import type { OutageOrder, ServerSettings } from '../service/server-settings.ts'

export type Runtime = keyof typeof runtimes

/** When something was so, by the system's clock; it is still so where there is no `to`. */
export interface Span {
  readonly from: number
  readonly to?: number
}

/** A service in a process of its own. */
export interface StartedServer {
  readonly pid: number
  /** Where it listens. @throws Error when it ends before it does */
  readonly address: Promise<string>
  /** The same once it is known, and until it has ended. */
  readonly knownAddress: string | undefined
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>
  readonly hasEnded: boolean
  /** Kills it with SIGKILL. Resolves when it has ended. */
  kill(): Promise<unknown>
  /** Has the service close and the process end. One that does not come to its end is killed after a while. */
  close(): Promise<unknown>
  /** Takes a store away from it. */
  tell(order: OutageOrder): void
  /** Stops it with SIGSTOP. Resolves when it stands still, or has ended. */
  freeze(): Promise<void>
  /** Lets it go on. */
  thaw(): void
  readonly isFrozen: boolean
  /** When it stood still. */
  readonly frozen: readonly Span[]
  /** When it was killed, if it was, or else when it ended, if it did. */
  readonly diedAt: number | undefined
  /** Whether it ended in good order, and not by a signal or an error. */
  readonly hasClosed: boolean
}

const program = join(import.meta.dirname, '../service/server.ts')
/** Node starts three times as fast with it, and there are hundreds of starts. */
const longestCloseMs = 10_000
const compileCache = join(import.meta.dirname, '../../../node_modules/.cache/genmount-crashes')

/** Starts a server, whose standard error goes to the end of `logFile`. */
export function startServer(
  settings: ServerSettings,
  logFile: string,
  runtime: Runtime = 'node',
): StartedServer {
  const [binary, ...flags] = runtimes[runtime]
  const log = openSync(logFile, 'a')
  const child = spawn(binary, [...flags, program, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', log],
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', NODE_COMPILE_CACHE: compileCache },
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
  // It may have ended when it is told something.
  child.stdin?.on('error', () => {})
  // Whoever needs the address awaits it; a server that is killed before it listens is no fault otherwise.
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
    get hasClosed() {
      return child.exitCode === 0
    },
  }
}

/** Stops the process with SIGSTOP. Resolves when it stands still, or has ended. */
export async function stopped(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP')
  // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the state follows the name.
  const stands = () => /\) [TZ] /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))
  while (child.exitCode === null && child.signalCode === null && !stands()) await delay(5)
}

async function firstLineOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout) for await (const line of createInterface({ input: stdout })) return line
  throw new Error('The server ended before it listened.')
}
