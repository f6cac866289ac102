import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import { bundledWorker } from './bundled-worker.ts'
import type { StoredJob } from '../serverless/storm-audit.ts'
import { taskVendor } from '../serverless/task-vendor.ts'

export const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }

interface State {
  /** How often the object has used its storage since it was started, by the name of the method, and how often its alarm came. */
  readonly calls: Readonly<Record<string, number>>
  /** How many timers the isolate has. */
  readonly timers: number
  readonly alarmAt: number | null
  readonly jobs: readonly StoredJob[]
}

/**
 * Services in Durable Objects (`media-object-worker.ts`), one for each host name, and the vendor in front of which they are. The
 * storage of the objects outlives workerd.
 */
export async function mediaObjects() {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-objects-'))
  const vendor = await taskVendor()
  const start = () =>
    bundledWorker('media-object-worker', {
      bindings: { VENDOR: vendor.url },
      durableObjects: { MEDIA: { className: 'MediaObject', useSQLite: true } },
      durableObjectsPersist: folder,
    })
  let worker: Miniflare = await start()

  /** The state of an object, read without the service: a read by the interface would poll the vendor. */
  async function stateOf(object: string): Promise<State> {
    return (await (await worker.dispatchFetch(`https://${object}/state`)).json()) as State
  }

  return {
    vendor,
    stateOf,
    phasesOf: async (object: string) => (await stateOf(object)).jobs.map(({ phase }) => phase),
    create: (object: string, body: object, query = '') =>
      worker.dispatchFetch(`https://${object}/v1/generate${query}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      }),
    get: (object: string, path: string) => worker.dispatchFetch(`https://${object}${path}`, { headers }),
    /** Ends workerd at once, in the middle of whatever it does, and starts it again on the same storage. */
    async tearDown() {
      await worker.dispose()
      worker = await start()
    },
    async close() {
      await worker.dispose()
      vendor.close()
      rmSync(folder, { recursive: true })
    },
  }
}
