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
  'an order whose thread throws every time fails with the reason': () =>
    inPool((pool) => assert.rejects(pool.run('throw', signal), /out of paint/)),
  'an order whose thread ends every time fails with its exit code': () =>
    inPool((pool) => assert.rejects(pool.run('exit', signal), /code 3/)),
  'an order that is called off stops its thread at once': () =>
    inPool(async (pool) => {
      await pool.run('good', signal)
      const caller = new AbortController()
      const endless = pool.run('work for ever', caller.signal)
      caller.abort(new Error('not wanted any more'))
      await assert.rejects(endless, /not wanted any more/)
    }),
  'close ends a thread at work': async () => {
    const pool = workerPool(new URL('troubled-worker.ts', import.meta.url), 1)
    const endless = assert.rejects(pool.run('work for ever', signal), /was closed/)
    await pool.close()
    await endless
  },
  'a script that can not be loaded is told with the reason, before there is an order': async () => {
    const pool = workerPool(new URL('unusable-worker.ts', import.meta.url), 1)
    await assert.rejects(pool.ready(), /can't be loaded: .*no paint in this house/)
    await workerPool(new URL('troubled-worker.ts', import.meta.url), 1).ready()
  },
  'threads that are idle let the process end': async () => {
    const left = workerPool(new URL('troubled-worker.ts', import.meta.url), 1)
    assert.equal(await left.run('good', signal), 'good')
  },
}
