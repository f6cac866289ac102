import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { runtimes } from '../../runtimes.ts'
import type { ServerSettings } from '../service/server-settings.ts'

export type Runtime = keyof typeof runtimes

/** A service in a process of its own. */
export interface StartedServer {
  /** Where it listens. @throws Error when it ends before it does */
  readonly address: Promise<string>
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>
  readonly hasEnded: boolean
  /** Kills it with SIGKILL. Resolves when it has ended. */
  kill(): Promise<unknown>
}

const program = join(import.meta.dirname, '../service/server.ts')
/** Node starts three times as fast with it, and there are hundreds of starts. */
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
  const ended = once(child, 'exit')
  const address = firstLineOf(child)
  // Whoever needs the address awaits it; a server that is killed before it listens is no fault otherwise.
  address.catch(() => {})
  return {
    address,
    ended,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null
    },
    kill() {
      child.kill('SIGKILL')
      return ended
    },
  }
}

async function firstLineOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout) for await (const line of createInterface({ input: stdout })) return line
  throw new Error('The server ended before it listened.')
}
