import assert from 'node:assert/strict'
import { workerPool, type WorkerPool } from '@genmount/worker-tasks'

const { signal } = new AbortController()

async function inPool(use: (pool: WorkerPool<string, string>) => Promise<void>): Promise<void> {
  const pool: WorkerPool<string, string> = workerPool(new URL('troubled-worker.ts', import.meta.url), 1)
  await use(pool)
  // A last order shows that whatever became of its threads, the pool has one.
  assert.equal(await pool.run('good', signal), 'good')
  await pool.close()
}

/** What happens to threads differs most between runtimes. */
export const poolCases: Readonly<Record<string, () => Promise<void>>> = {
  'an order whose worker thread throws each time rejects with the error of the thread': () =>
    inPool((pool) => assert.rejects(pool.run('throw', signal), /out of paint/)),
  'an order whose worker thread exits each time rejects with the exit code': () =>
    inPool((pool) => assert.rejects(pool.run('exit', signal), /code 3/)),
  'aborting the signal of an order rejects the order and stops its worker thread': () =>
    inPool(async (pool) => {
      await pool.run('good', signal)
      const caller = new AbortController()
      const endless = pool.run('work for ever', caller.signal)
      caller.abort(new Error('not wanted any more'))
      await assert.rejects(endless, /not wanted any more/)
    }),
  'close ends a worker thread that is at work, and its order rejects': async () => {
    const pool = workerPool(new URL('troubled-worker.ts', import.meta.url), 1)
    const endless = assert.rejects(pool.run('work for ever', signal), /was closed/)
    await pool.close()
    await endless
  },
  "ready rejects with the reason when the script of the worker can't be loaded": async () => {
    const pool = workerPool(new URL('unusable-worker.ts', import.meta.url), 1)
    await assert.rejects(pool.ready(), /can't be loaded: .*no paint in this house/)
    await workerPool(new URL('troubled-worker.ts', import.meta.url), 1).ready()
  },
  'idle worker threads let the process end': async () => {
    const left = workerPool(new URL('troubled-worker.ts', import.meta.url), 1)
    assert.equal(await left.run('good', signal), 'good')
  },
}
