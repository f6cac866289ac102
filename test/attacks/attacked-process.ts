import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Runtime } from '../processes/runtimes.ts'
import { launchServer, scriptCommand } from '../processes/start-server.ts'
import type { Attack } from './attack.ts'
import { connectionsTo } from './connections.ts'
import { type ObservedClient, observedClient } from './observed-client.ts'
import type { AttackedFigures } from './server/attacked-server.ts'

/** The attacked server in a process of its own, and an honest client that uses it. */
export interface AttackedProcess {
  readonly origin: string
  readonly client: ObservedClient
  /** Asks the process for its figures. A busy process may take a while to answer. */
  figures(): Promise<AttackedFigures>
  /** Starts the measuring of peaks and delays again. @returns the figures up to now */
  reset(): Promise<AttackedFigures>
  /** Attacks until the attack has finished or its time is over. @returns a function that closes its connections */
  attackWith(attack: Attack): Promise<() => void>
  /** Ends the client and the process, and removes its files. */
  end(): Promise<void>
}

const script = new URL('server/attacked-server.ts', import.meta.url)
/** How long an attack lasts that does not say so, in milliseconds. */
const usualMs = 1000

export async function attackedProcess(
  runtime: Runtime,
  settings: Attack['settings'] = {},
): Promise<AttackedProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-attacks-'))
  const command = scriptCommand(runtime, script, JSON.stringify({ ...settings, folder }))
  const { process, origin, greeting } = await launchServer(command)
  const client = observedClient(greeting.port)
  const ask = async (line: string) => JSON.parse(await process.ask(line)) as AttackedFigures
  return {
    origin,
    client,
    figures: () => ask('figures'),
    reset: () => ask('reset'),
    async attackWith({ run, forMs = usualMs }) {
      const connections = connectionsTo(greeting.port)
      const time = new AbortController()
      const over = delay(forMs).then(() => time.abort())
      try {
        await run({
          connections,
          over,
          isOver: () => time.signal.aborted,
          async onEach(count, work) {
            const opened = await connections.openMany(count)
            await Promise.race([Promise.all(opened.map(work)), over])
          },
        })
      } catch (error) {
        connections.closeAll()
        throw error
      }
      return connections.closeAll
    },
    async end() {
      await client.stop()
      await process.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
