import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Exit, launch } from '../../processes/launch.ts'
import type { Runtime } from '../../processes/runtimes.ts'
import { listening, scriptCommand } from '../../processes/start-server.ts'
import { bundledProgram } from '../../suite/bundled-programs.ts'
import type { ServerOrder, ServerSettings } from '../service/server-settings.ts'

/** The code of a server process: that of today, or that of before the newest migrations of both databases. */
export type Release = 'newest' | 'older'

/** The program of each release. */
export type ServerPrograms = Readonly<Record<Release, URL>>

export async function serverPrograms(): Promise<ServerPrograms> {
  const newest = pathToFileURL(await bundledProgram('test/deaths/service/server.ts'))
  return { newest, older: new URL('../older/older-server.js', import.meta.url) }
}

/** A period by the clock of the system. Without `to` it has not ended. */
export interface Span {
  readonly from: number
  readonly to?: number
}

/** A server process with a service. */
export type StartedServer = ReturnType<typeof startServer>

/** Starts a server. Its standard error is appended to `logFile`. */
export function startServer(
  programs: ServerPrograms,
  settings: ServerSettings,
  logFile: string,
  runtime: Runtime = 'node',
  release: Release = 'newest',
) {
  const process = launch(scriptCommand(runtime, programs[release], JSON.stringify(settings)), { logFile })
  let diedAt: number | undefined
  let listeningAddress: string | undefined
  /** The periods in which the process stood still. */
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
    /** The address where it listens. Rejects when the process ends before it listens. */
    address,
    ended,
    /** The address, from when it listens until the process has ended. */
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
    /** Closes the service, so that the process ends. A process that does not end within 40 s is killed. */
    async close() {
      process.tell('close')
      await Promise.race([ended, delay(40_000, undefined, { ref: false })])
      return kill()
    },
    tell: (order: ServerOrder | 'close') => process.tell(order === 'close' ? order : JSON.stringify(order)),
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
    /** When the process was killed, or else when it ended. `undefined` while it is alive. */
    get diedAt() {
      return diedAt
    },
    /** The exit code of the process if it ended by itself and not by a signal: 0 if it ended without an error. */
    get exitCode() {
      return process.child.exitCode
    },
  }
}
