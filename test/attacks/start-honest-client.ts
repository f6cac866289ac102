import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { HonestFigures } from './honest-client.ts'

/** Starts an honest client in its own thread, so that the work of the attackers does not slow it down. */
export function startHonestClient(origin: string) {
  const client = new Worker(new URL('honest-client.ts', import.meta.url), {
    workerData: { origin },
    execArgv: ['--conditions=@genmount/source'],
  })
  return {
    /** @returns what the client saw since its last report */
    async report(): Promise<HonestFigures> {
      client.postMessage('report', [])
      const [figures] = await once(client, 'message')
      return figures
    },
    end: () => client.terminate(),
  }
}
