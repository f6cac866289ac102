import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { workerPool, type WorkerPool } from './worker-pool.ts'

interface Reply {
  readonly order: number
  readonly threadId: number
}

type Pool = WorkerPool<number, Reply>

const { signal } = new AbortController()
const pools: Pool[] = []

/** A pool whose threads run this code with an `order`. The code may `reply` to the order. */
function poolOf(work: string, threads = 1): Pool {
  const script = `
    import { existsSync, writeFileSync } from 'node:fs'
    import { parentPort, threadId } from 'node:worker_threads'
    const reply = (order) => parentPort.postMessage({ order, threadId })
    parentPort.on('message', async (order) => { ${work} })`
  const pool: Pool = workerPool(new URL(`data:text/javascript,${encodeURIComponent(script)}`), threads)
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

test('ready() of a pool names a worker script that is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'genmount-pool-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const script = join(folder, 'draw worker.js')
  const pool = workerPool(pathToFileURL(script), 1)
  await expect(pool.ready()).rejects.toThrow(
    `The worker script ${script} does not exist. If a bundler made this app, name the package of the script as external.`,
  )
  await writeFile(script, '')
  await pool.ready()
})

test('ready() of a pool says why a worker script can not be loaded', async () => {
  const unusable = (code: string) =>
    workerPool(new URL(`data:text/javascript,${encodeURIComponent(code)}`), 1).ready()
  await expect(unusable(`throw new Error('no paint')`)).rejects.toThrow(
    "The worker script can't be loaded: no paint",
  )
  await expect(unusable('process.exit(3)')).rejects.toThrow('the thread ended with code 3')
  await poolOf('reply(order)').ready()
})

test('close() of a pool ends a thread that still loads its script', async () => {
  const pool = workerPool(new URL('data:text/javascript,for (;;);'), 1)
  pools.push(pool as Pool)
  const asked = expect(pool.ready()).rejects.toThrow('was closed')
  await pool.close()
  await asked
  await expect(pool.ready()).rejects.toThrow('was closed')
})

test('a thread of a pool runs one order after another', async () => {
  const pool = poolOf('reply(order)')
  const first = await pool.run(1, signal)
  expect(first.order).toBe(1)
  expect(await pool.run(2, signal)).toEqual({ ...first, order: 2 })
})

test('a pool runs no more threads than its size, and further orders wait', async () => {
  const pool = poolOf('reply(order)', 2)
  const replies = await Promise.all([1, 2, 3, 4, 5, 6].map((order) => pool.run(order, signal)))
  expect(replies.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6])
  expect(new Set(replies.map(({ threadId }) => threadId)).size).toBeLessThanOrEqual(2)
})

test('a pool runs the order of another owner second behind ten orders of one owner, and skips an aborted order', async () => {
  const pool = poolOf('setTimeout(() => reply(order), 5)')
  const served: number[] = []
  const caller = new AbortController()
  const runs = Array.from({ length: 10 }, (_, order) =>
    pool.run(order, signal, 'alice').then(() => void served.push(order)),
  )
  const leaver = expect(pool.run(20, caller.signal, 'bob')).rejects.toThrow('not wanted')
  runs.push(pool.run(21, signal, 'bob').then(() => void served.push(21)))
  caller.abort(new Error('not wanted'))
  await Promise.all([leaver, ...runs])
  expect(served.slice(0, 3)).toEqual([0, 21, 1])
  expect(served).toHaveLength(11)
})

test.each([
  ['ends', 'process.exit(3)', 'code 3'],
  ['throws', `throw new Error('out of paint')`, 'out of paint'],
])(
  'an order whose thread %s each time fails with the reason, and the pool runs the next order',
  async (_how, death, reason) => {
    const pool = poolOf(`if (order === 1) { ${death} } else reply(order)`)
    await expect(pool.run(1, signal)).rejects.toThrow(reason)
    expect(await pool.run(2, signal)).toMatchObject({ order: 2 })
  },
)

test('an order whose thread dies once is run again by the next thread', async () => {
  const mark = join(await mkdtemp(join(tmpdir(), 'genmount-')), 'died')
  const pool = poolOf(`
    if (existsSync(${JSON.stringify(mark)})) reply(order)
    else { writeFileSync(${JSON.stringify(mark)}, ''); process.exit(1) }`)
  expect(await pool.run(1, signal)).toMatchObject({ order: 1 })
  await rm(dirname(mark), { recursive: true })
})

test('a pool gives no order to a thread that has died right after its reply', async () => {
  const pool = poolOf('reply(order); if (order === 2) process.exit()')
  const first = await pool.run(1, signal)
  const second = pool.run(2, signal)
  await new Promise(setImmediate)
  // Blocks the event loop, so that the reply and the end of the thread arrive in the same turn.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  expect(await second).toEqual({ order: 2, threadId: first.threadId })
  expect(await pool.run(3, signal)).not.toMatchObject({ threadId: first.threadId })
})

test('a pool replaces a thread that dies between two orders', async () => {
  const pool = poolOf('reply(order); setTimeout(() => process.exit(), 0)')
  for (const order of [1, 2, 3]) expect(await pool.run(order, signal)).toMatchObject({ order })
})

test('an abort of an order stops its thread at once, and the pool runs the next order', async () => {
  const pool = poolOf('if (order === 1) for (;;); else reply(order)')
  const caller = new AbortController()
  const outcomes = Promise.allSettled([pool.run(1, caller.signal), pool.run(1, caller.signal)])
  const next = pool.run(2, signal)
  caller.abort(new Error('not wanted any more'))
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ reason: { message: 'not wanted any more' } })
  expect(await next).toMatchObject({ order: 2 })
})

test('close() of a pool ends the threads that work, and the pool refuses later orders', async () => {
  const pool = poolOf('for (;;);')
  const outcomes = Promise.allSettled([pool.run(1, signal), pool.run(2, signal)])
  await pool.close()
  for (const { status } of await outcomes) expect(status).toBe('rejected')
  await expect(pool.run(3, signal)).rejects.toThrow('was closed')
})

test('numbers that a thread posts before its reply are its progress, and are the reply when nobody asks for progress', async () => {
  const pool = poolOf('parentPort.postMessage(0.5); parentPort.postMessage(1); reply(order)')
  const told: number[] = []
  expect((await pool.run(1, signal, 'alice', (progress) => told.push(progress))).order).toBe(1)
  expect(told).toEqual([0.5, 1])
  expect(await poolOf('parentPort.postMessage(7)').run(1, signal)).toBe(7)
})

test('a preview that a thread posts with its progress arrives with the progress', async () => {
  const posted = "{ progress: 0.5, preview: { bytes: new Uint8Array([1, 2]), contentType: 'image/jpeg' } }"
  const told: unknown[] = []
  const tell = (...news: unknown[]) => void told.push(news)
  expect(
    (await poolOf(`parentPort.postMessage(${posted}); reply(order)`).run(1, signal, '', tell)).order,
  ).toBe(1)
  expect(told).toEqual([[0.5, { bytes: new Uint8Array([1, 2]), contentType: 'image/jpeg' }]])
})
