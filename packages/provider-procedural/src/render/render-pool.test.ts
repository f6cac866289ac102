import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { renderPool, type RenderPool } from './render-pool.ts'
import type { ImageOrder } from './render-order.ts'

const order: ImageOrder = {
  kind: 'image',
  prompt: 'a lake',
  seed: 1,
  shortSide: 64,
  aspectRatio: undefined,
  picture: undefined,
  count: 1,
  format: 'png',
}
const { signal } = new AbortController()
const pools: RenderPool[] = []

/** A pool whose threads run this script, which may call `answer`. */
function poolOf(script: string, threads = 1): RenderPool {
  const pool = renderPool(threads, new URL(`data:text/javascript,${encodeURIComponent(prelude + script)}`))
  pools.push(pool)
  return pool
}

const prelude = `import { parentPort, threadId } from 'node:worker_threads'
const answer = (seed) => parentPort.postMessage({ files: [], contentType: 'test/' + seed, renderMs: threadId });
`

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

test('a thread serves one order after another', async () => {
  const pool = poolOf(`parentPort.on('message', ({ seed }) => answer(seed))`)
  const first = await pool.render(order, signal)
  expect(first).toMatchObject({ contentType: 'test/1' })
  expect(await pool.render({ ...order, seed: 2 }, signal)).toEqual({ ...first, contentType: 'test/2' })
})

test('no more threads work at a time than were asked for, and orders beyond them wait', async () => {
  const pool = poolOf(`parentPort.on('message', ({ seed }) => answer(seed))`, 2)
  const replies = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => pool.render({ ...order, seed }, signal)))
  expect(replies.map((reply) => 'contentType' in reply && reply.contentType)).toEqual(
    [1, 2, 3, 4, 5, 6].map((seed) => `test/${seed}`),
  )
  expect(new Set(replies.map((reply) => 'renderMs' in reply && reply.renderMs)).size).toBeLessThanOrEqual(2)
})

test.each([
  ['ends', 'process.exit(3)', 'code 3'],
  ['throws', `throw new Error('out of paint')`, 'out of paint'],
])(
  'an order whose thread %s every time fails with the reason, and the pool lives on',
  async (_how, death, reason) => {
    const pool = poolOf(
      `parentPort.on('message', ({ seed }) => { if (seed === 1) { ${death} } else answer(seed) })`,
    )
    const reply = await pool.render(order, signal)
    expect(reply).toMatchObject({ code: 'provider_failed' })
    expect('message' in reply && reply.message).toContain(reason)
    expect(await pool.render({ ...order, seed: 2 }, signal)).toMatchObject({ contentType: 'test/2' })
  },
)

test('an order whose thread dies once is rendered by the next', async () => {
  const mark = join(await mkdtemp(join(tmpdir(), 'genmount-')), 'died')
  const pool = poolOf(`
    import { existsSync, writeFileSync } from 'node:fs'
    parentPort.on('message', ({ seed }) => {
      if (existsSync(${JSON.stringify(mark)})) answer(seed)
      else { writeFileSync(${JSON.stringify(mark)}, ''); process.exit(1) }
    })`)
  expect(await pool.render(order, signal)).toMatchObject({ contentType: 'test/1' })
  await rm(dirname(mark), { recursive: true })
})

test('a thread that dies between two orders is not missed', async () => {
  const pool = poolOf(
    `parentPort.on('message', ({ seed }) => { answer(seed); setTimeout(() => process.exit(), 0) })`,
  )
  for (const seed of [1, 2, 3]) {
    expect(await pool.render({ ...order, seed }, signal)).toMatchObject({ contentType: `test/${seed}` })
  }
})

test('an order that is called off stops its thread at once, and the next order is served', async () => {
  const pool = poolOf(
    `parentPort.on('message', ({ seed }) => { if (seed === 1) for (;;); else answer(seed) })`,
  )
  const caller = new AbortController()
  const endless = pool.render(order, caller.signal)
  const queued = pool.render(order, caller.signal)
  const outcomes = Promise.allSettled([endless, queued])
  const next = pool.render({ ...order, seed: 2 }, signal)
  caller.abort(new Error('not wanted any more'))
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ reason: { message: 'not wanted any more' } })
  expect(await next).toMatchObject({ contentType: 'test/2' })
})

test('close ends the threads at work, and nothing begins after it', async () => {
  const pool = poolOf(`parentPort.on('message', () => { for (;;); })`)
  const endless = pool.render(order, signal)
  const queued = pool.render(order, signal)
  const outcomes = Promise.allSettled([endless, queued])
  await pool.close()
  for (const { status } of await outcomes) expect(status).toBe('rejected')
  await expect(pool.render(order, signal)).rejects.toThrow('closed')
})
