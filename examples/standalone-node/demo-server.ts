import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** The standalone server as a process of its own, which may be killed and started again. */
export interface DemoServer {
  /** Starts it where it was before, or on any free port. @returns its address, once it listens */
  start(): Promise<string>
  /** Sends the signal. @returns the exit code, once the process has ended; `null` when the signal has ended it */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** Whatever the user has set for a server of their own; empty counts as absent. */
const unset = { HOST: '', BASE_URL: '', WAIT_BUDGET_MS: '', MAX_JOBS: '', ALLOW_SIMULATION: '' }

export function demoServer(key: string, dataDir: string): DemoServer {
  const command = [...process.execArgv, join(import.meta.dirname, 'server.ts')]
  let port = '0'
  let child: ChildProcessByStdio<null, Readable, null> | undefined
  let exited: Promise<number | null> = Promise.resolve(null)

  return {
    async start() {
      const env = { ...process.env, ...unset, PORT: port, API_KEYS: `demo:${key}`, DATA_DIR: dataDir }
      const started = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] })
      child = started
      exited = new Promise((resolve) => started.once('exit', resolve))
      const address = await addressOf(started.stdout)
      port = new URL(address).port
      return address
    },
    end(signal) {
      child?.kill(signal)
      return exited
    },
  }
}

/** The first line that the server prints ends in its address. */
async function addressOf(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /^genmount listens on (\S+)$/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('The server ended before it listened.')
}
