import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Runtime } from '../processes/runtimes.ts'
import { launchServer, scriptCommand } from '../processes/start-server.ts'
import type { Attack } from './attack.ts'
import { connectionsTo } from './connections.ts'
import type { AttackedFigures } from './server/attacked-server.ts'
import { startHonestClient } from './start-honest-client.ts'

const script = new URL('server/attacked-server.ts', import.meta.url)
/** How long an attack lasts that does not say so, in milliseconds. */
const usualMs = 1000

/** Starts the attacked server in a process of its own, and an honest client that uses it. */
export async function attackedProcess(runtime: Runtime, settings: Attack['settings'] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-attacks-'))
  const command = scriptCommand(runtime, script, JSON.stringify({ ...settings, folder }))
  const { process, origin, greeting } = await launchServer(command)
  const client = startHonestClient(origin)
  const ask = async (line: string) => JSON.parse(await process.ask(line)) as AttackedFigures
  return {
    origin,
    /** Asks the process for its figures. A busy process may take a while to answer. */
    figures: () => ask('figures'),
    /** Starts the measuring of peaks and delays again. @returns the figures up to now */
    reset: () => ask('reset'),
    /** @returns what the honest client saw since its last report */
    report: client.report,
    /** Attacks until the attack has finished or its time is over. @returns a function that closes its connections */
    async attackWith({ run, forMs = usualMs }: Attack): Promise<() => void> {
      const { open, openMany, closeAll } = connectionsTo(greeting.port)
      let isOver = false
      const over = delay(forMs).then(() => void (isOver = true))
      await run({
        open,
        over,
        isOver: () => isOver,
        async onEach(count, work) {
          const opened = await openMany(count)
          await Promise.race([Promise.all(opened.map(work)), over])
        },
      })
      return closeAll
    },
    async end() {
      await client.end()
      await process.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
