import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, type BenchResult, full } from '../bench.ts'
import { atMost, row, shown, type Spread, spreadOf } from '../figures.ts'
import { type Measured, startMeasured } from '../measured-process.ts'
import type { Answers, ClientTask } from './clients.ts'
import type { ServerReport } from './held-requests.ts'

const waiters = full(10_000)
/** How many requests are held, and let go, before anything is measured. */
const warmingUp = 500
const rounds = full(5)
const patienceMs = 60_000

interface Round {
  /** The heap that a held request takes in addition to an idle connection, in bytes. */
  readonly heapPerWaiter: number
  readonly answeredAfterMs: number
  readonly longestStallMs: number
}

/** Holds all requests, and then lets their job finish. */
async function holdAndRelease(kind: 'ours' | 'bare'): Promise<Round> {
  return withProcesses(kind, async (server, clients) => {
    const { heapPerWaiter } = await hold(server, clients)
    if (kind === 'bare') return { heapPerWaiter, answeredAfterMs: 0, longestStallMs: 0 }
    await server.ask('finish')
    const { finished, lastAt } = await until<Answers>(
      () => clients.ask({ task: 'answers' } satisfies ClientTask),
      ({ answered }) => answered >= waiters,
    )
    const { finishedAt, longestStallMs } = await server.ask<ServerReport>('report')
    if (finished !== waiters) throw new Error(`Only ${finished} of ${waiters} got a finished job.`)
    return { heapPerWaiter, answeredAfterMs: lastAt - finishedAt, longestStallMs }
  })
}

/** How much heap held requests take, and what is left when their clients have disconnected. */
interface Weight {
  readonly heapPerWaiter: number
  readonly left: number
  /** The part of this heap that is still in use afterwards, from 0 to 1. */
  readonly keptShare: number
}

/**
 * Holds `count` requests, and then disconnects their clients.
 * @param how `wait`: creates with `wait=true`; `listen`: requests for the job's events
 */
export async function weighWaiters(count: number, how: 'wait' | 'listen' = 'wait'): Promise<Weight> {
  return withProcesses('ours', async (server, clients) => {
    const { heapBefore, heapHeld, heapPerWaiter } = await hold(server, clients, count, how)
    await clients.ask({ task: 'vanish' } satisfies ClientTask)
    const { waiting } = await until<ServerReport>(
      () => server.ask('report'),
      ({ connections }) => connections === 0,
    )
    const heapAfter = await server.ask<number>('heap')
    return { heapPerWaiter, left: waiting, keptShare: (heapAfter - heapBefore) / (heapHeld - heapBefore) }
  })
}

async function hold(server: Measured, clients: Measured, count = waiters, how: 'wait' | 'listen' = 'wait') {
  const { port, jobId = '' } = await server.ask<ServerReport>('report')
  const hang = async (held: number) => {
    await clients.ask((how === 'wait' ? { task: how } : { task: how, jobId }) satisfies ClientTask)
    await until<ServerReport>(
      () => server.ask('report'),
      ({ waiting }) => waiting >= held,
    )
  }
  // The code that is compiled for the first requests is no part of what each request takes.
  await clients.ask({ task: 'idle', port, count: warmingUp } satisfies ClientTask)
  await hang(warmingUp)
  await clients.ask({ task: 'vanish' } satisfies ClientTask)
  await until<ServerReport>(
    () => server.ask('report'),
    ({ connections, waiting }) => connections === 0 && waiting === 0,
  )
  const heapBefore = await server.ask<number>('heap')
  await clients.ask({ task: 'idle', port, count } satisfies ClientTask)
  const heapIdle = await server.ask<number>('heap')
  await hang(count)
  const heapHeld = await server.ask<number>('heap')
  return { heapBefore, heapHeld, heapPerWaiter: (heapHeld - heapIdle) / count }
}

async function withProcesses<Result>(
  kind: 'ours' | 'bare',
  use: (server: Measured, clients: Measured) => Promise<Result>,
): Promise<Result> {
  const flags = ['--expose-gc', '--max-old-space-size=8192']
  const server = await startMeasured(new URL('held-requests.ts', import.meta.url), { flags }, kind)
  const clients = await startMeasured(new URL('clients.ts', import.meta.url), { flags, core: 'load' })
  try {
    return await use(server, clients)
  } finally {
    await Promise.all([server.stop(), clients.stop()])
  }
}

async function until<Value>(look: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  const lastLookAt = Date.now() + patienceMs
  for (;;) {
    const value = await look()
    if (isDone(value)) return value
    if (Date.now() > lastLookAt)
      throw new Error(`Not there after ${patienceMs} ms: ${JSON.stringify(value)}.`)
    await sleep(50)
  }
}

async function run(): Promise<BenchResult> {
  const ours: Round[] = []
  for (let round = 0; round < rounds; round++) ours.push(await holdAndRelease('ours'))
  const bare = await holdAndRelease('bare')
  const { left, keptShare } = await weighWaiters(waiters)
  const [heap, answered, stall] = (['heapPerWaiter', 'answeredAfterMs', 'longestStallMs'] as const).map(
    (figure) => spreadOf(ours.map((each) => each[figure])),
  ) as [Spread, Spread, Spread]
  const what = (words: string) => `${waiters.toLocaleString('en')} waiters: ${words}`
  return {
    rows: [
      row(
        what('heap of each beyond an idle connection'),
        `${shown(heap, 0)} bytes`,
        heap.median,
        atMost(5000, '5 kB'),
      ),
      row(
        what('all answered after their job has finished'),
        `${shown(answered, 0)} ms`,
        answered.median,
        atMost(1000, '1 s'),
      ),
      row(
        what('longest stall of the event loop at the release'),
        `${shown(stall, 0)} ms`,
        stall.median,
        atMost(50, '50 ms'),
      ),
      row(
        what('left after their clients have vanished'),
        `${left}, and ${(keptShare * 100).toFixed(0)} % of the heap they took`,
        left + keptShare,
        atMost(0.1, '0, and 10 %'),
      ),
    ],
    notes: `All wait for one job, over a connection each, which has been idle after an earlier request when the heap is
read for the first time, after a garbage collection. A bare server that holds each with a promise, a timer and a close
listener takes ${bare.heapPerWaiter.toFixed(0)} bytes of heap for each.`,
  }
}

/** Measures requests that wait for their job. */
export const waitersBench: Bench = { name: 'waiters', title: 'Waiting requests', run }
