import { setTimeout as delay } from 'node:timers/promises'
import { type Exit, launch, type Launched } from '../../processes/launch.ts'
import type { Runtime } from '../../processes/runtimes.ts'
import { listening, scriptCommand } from '../../processes/start-server.ts'
import type { ServerOrder, ServerSettings } from '../service/server-settings.ts'

const programs = {
  newest: new URL('../service/server.ts', import.meta.url),
  older: new URL('../older/older-server.js', import.meta.url),
} as const

/** The code of a server process: that of today, or that of before the newest migrations of both databases. */
export type Release = keyof typeof programs

/** A period by the clock of the system. Without `to` it has not ended. */
export interface Span {
  readonly from: number
  readonly to?: number
}

/** A server process with a service. */
export interface StartedServer extends Pick<
  Launched,
  'pid' | 'output' | 'ended' | 'hasEnded' | 'kill' | 'freeze' | 'thaw'
> {
  readonly release: Release
  /** The address where it listens. Rejects when the process ends before it listens. */
  readonly address: Promise<string>
  /** The address, from when it listens until the process has ended. */
  readonly listeningAddress: string | undefined
  /** Closes the service, so that the process ends. A process that does not end within 10 s is killed. */
  close(): Promise<Exit>
  tell(order: ServerOrder | 'close'): void
  readonly isFrozen: boolean
  /** The periods in which the process stood still. */
  readonly frozen: readonly Span[]
  /** When the process was killed, or else when it ended. `undefined` while it is alive. */
  readonly diedAt: number | undefined
  /** The exit code of the process if it ended by itself and not by a signal: 0 if it ended without an error. */
  readonly exitCode: number | null
}

const longestCloseMs = 10_000

/** Starts a server. Its standard error is appended to `logFile`. */
export function startServer(
  settings: ServerSettings,
  logFile: string,
  runtime: Runtime = 'node',
  release: Release = 'newest',
): StartedServer {
  const process = launch(scriptCommand(runtime, programs[release], JSON.stringify(settings)), { logFile })
  let diedAt: number | undefined
  let listeningAddress: string | undefined
  const frozen: { from: number; to?: number }[] = []
  const ended = process.ended.finally(() => (diedAt ??= Date.now()))
  const address = listening(process).then(({ origin }) => (listeningAddress = origin))
  // Code that needs the address awaits it and gets the error. For others it is no error that a server is
  // killed before it listens.
  address.catch(() => {})

  async function kill(): Promise<Exit> {
    if (!process.hasEnded) diedAt ??= Date.now()
    await process.kill()
    return ended
  }

  return {
    pid: process.pid,
    release,
    address,
    ended,
    get listeningAddress() {
      return process.hasEnded ? undefined : listeningAddress
    },
    get output() {
      return process.output
    },
    get hasEnded() {
      return process.hasEnded
    },
    kill,
    async close() {
      process.tell('close')
      const timer = delay(longestCloseMs, undefined, { ref: false })
      await Promise.race([ended, timer])
      return kill()
    },
    tell: (order) => process.tell(order === 'close' ? order : JSON.stringify(order)),
    async freeze() {
      if (process.hasEnded) return
      frozen.push({ from: Date.now() })
      await process.freeze()
    },
    thaw() {
      process.thaw()
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
      return process.child.exitCode
    },
  }
}
