import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { HonestFigures } from './honest-client.ts'

/** The honest client. It runs in its own thread, so that the work of the attackers does not slow it down. */
export interface ObservedClient {
  /** What the client saw since the last report. */
  report(): Promise<HonestFigures>
  stop(): Promise<void>
}

export function observedClient(port: number): ObservedClient {
  const worker = new Worker(new URL('honest-client.ts', import.meta.url), {
    workerData: { port },
    execArgv: ['--conditions=@genmount/source'],
  })
  return {
    async report() {
      worker.postMessage('report', [])
      const [figures] = (await once(worker, 'message')) as [HonestFigures]
      return figures
    },
    async stop() {
      await worker.terminate()
    },
  }
}
