import type { Miniflare } from 'miniflare'
import { bundledWorker } from './bundled-worker.ts'
import { migratedD1 } from './migrated-d1.ts'

const base = 'https://media.example.com/v1'
const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
/** A service on D1 in workerd. @param goesOn whether jobs go on after the answer to their create, and not by the cron alone */
export async function d1Service(goesOn: boolean) {
  const worker: Miniflare = await bundledWorker('d1-service-worker', {
    compatibilityFlags: ['nodejs_compat'],
    d1Databases: ['JOBS'],
    bindings: { GOES_ON: goesOn },
  })
  await migratedD1(worker, 'JOBS')
  const database = await worker.getD1Database('JOBS')
  return {
    worker,

    /** @param wait for how many seconds */
    async create(wait = '0') {
      const body = JSON.stringify({ model: 'fake-image', prompt: 'a kite' })
      const created = await worker.dispatchFetch(`${base}/generate`, {
        method: 'POST',
        headers: { ...headers, prefer: `wait=${wait}` },
        body,
      })
      return (await created.json()) as { id: string; status: string }
    },

    /** How many batches the worker has sent. */
    batches: async () =>
      Number(await (await worker.dispatchFetch('https://media.example.com/batches')).text()),

    /** The phase of a stored job, read past the service: a read by the interface would poll the provider. */
    async phaseOf(id: string) {
      const query = database.prepare('SELECT phase FROM jobs WHERE id = ?').bind(id)
      return (await query.first<{ phase: string }>())?.phase
    },
  }
}
