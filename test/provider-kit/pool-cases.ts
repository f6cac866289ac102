import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { checkPicture, workerPool, type WorkerPool } from '@genmount/provider-kit/workers'
import { deflatedZeros, pngChunk, pngWith } from '../slow-pictures/hostile-pictures.ts'

const { signal } = new AbortController()

async function inPool(use: (pool: WorkerPool<string, string>) => Promise<void>): Promise<void> {
  const pool: WorkerPool<string, string> = workerPool(new URL('troubled-worker.ts', import.meta.url), 1)
  await use(pool)
  // A last order shows that whatever became of its threads, the pool has one.
  assert.equal(await pool.run('good', signal), 'good')
  await pool.close()
}

const crowd = (threads: number): WorkerPool<Int32Array | undefined, number> =>
  workerPool(new URL('crowded-worker.ts', import.meta.url), threads)

/** What the threads of a crowd share, with how much work each does. */
function workOf(rounds: number): Int32Array {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  shared[1] = rounds
  return shared
}

/** How many threads of two pools are at work at once. @param rounds how much work each does */
async function mostAtWork(rounds: number): Promise<number> {
  const crowds = [crowd(4), crowd(4)]
  const run = (shared: Int32Array) =>
    Promise.all(crowds.flatMap((pool) => Array.from({ length: 4 }, () => pool.run(shared, signal))))
  // The threads start one after the other.
  await run(workOf(1))
  const most = await run(workOf(rounds))
  await Promise.all(crowds.map((pool) => pool.close()))
  return Math.max(...most)
}

function checkPlaces(atWork: number): void {
  assert.ok(atWork <= Math.max(2, availableParallelism() - 2), `${atWork} threads were at work at once`)
}

/** The case with the most work: some four seconds of it. */
export const manyThreads =
  'eight threads of two pools that work on pictures leave threads of the runtime to those who read files'

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
  'eight threads of two pools work on two pictures at once, or on fewer than there are cores': async () =>
    checkPlaces(await mostAtWork(50_000)),
  [manyThreads]: async () => {
    const reads: number[] = []
    const over = new AbortController()
    const reading = async () => {
      while (!over.signal.aborted) {
        const beganAt = performance.now()
        await readFile(new URL(import.meta.url))
        reads.push(performance.now() - beganAt)
        await delay(10)
      }
    }
    const [most] = await Promise.all([mostAtWork(500_000).finally(() => over.abort()), reading()])
    checkPlaces(most)
    // Behind the work of all others, a read takes some seconds. Deno starts a thread for each.
    assert.ok(
      'deno' in process.versions || Math.max(...reads) < 1000,
      `a read took ${Math.round(Math.max(...reads))} ms`,
    )
  },
  'a worker thread that ends in the middle of its work on a picture gives its place back': async () => {
    const pool = crowd(1)
    for (let turn = 0; turn < 3; turn++) await assert.rejects(pool.run(undefined, signal), /code 3/)
    assert.equal(await pool.run(workOf(1000), signal), 1)
    await pool.close()
  },
  'a PNG whose text of 4 GB is deflated to 4 MB is refused without the memory for the text': async () => {
    const before = process.memoryUsage.rss()
    const file = pngWith(pngChunk('zTXt', Buffer.from('Comment\0\0'), deflatedZeros(4_000)))
    assert.throws(
      () => checkPicture('image', file),
      /^UnusablePictureError: image has too much text: .* 16 MiB/,
    )
    assert.ok(process.memoryUsage.rss() - before < 300_000_000)
  },
  'idle worker threads let the process end': async () => {
    const left = workerPool(new URL('troubled-worker.ts', import.meta.url), 1)
    assert.equal(await left.run('good', signal), 'good')
  },
}
