import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../standalone-node/server.ts')

/** A standalone server in a process of its own. */
export interface StandaloneNode {
  /** Starts the process, again if it has ended. Resolves when it listens. */
  start(): Promise<void>
  /** Sends the signal. Resolves when the process has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** @param env what the server gets as its environment, besides the port */
export function standaloneNode(
  name: string,
  port: number,
  env: Readonly<Record<string, string>>,
): StandaloneNode {
  let child: ChildProcess | undefined

  return {
    async start() {
      const settings = { ...process.env, ...env, PORT: String(port) }
      const started = spawn(process.execPath, [...process.execArgv, program], {
        env: settings,
        stdio: ['ignore', 'pipe', 'inherit'],
        // Ctrl+C on the terminal goes to this process only, which then ends its nodes.
        detached: true,
      })
      child = started
      await new Promise<void>((resolve, reject) => {
        started.once('close', () => reject(new Error(`Node ${name} has ended: see above.`)))
        started.stdout.setEncoding('utf8').on('data', (text) => text.includes('listens on') && resolve())
      })
    },
    async end(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    },
  }
}
