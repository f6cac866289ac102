import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, BenchResult } from '../bench.ts'
import { cores } from '../http/pinned.ts'
import { shown, type Spread, spreadOf } from '../http/ratio.ts'
import { type Child, startChild } from './child-process.ts'
import type { Answers, ClientTask, ServerReport } from './waiters-protocol.ts'

const waiters = 10_000
/** How many requests are held, and let go, before anything is measured. */
const warmingUp = 500
const rounds = 5
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
export async function weighWaiters(
  count: number,
  how: 'wait' | 'listen' = 'wait',
  ...nodeArgs: readonly string[]
): Promise<Weight> {
  const use = async (server: Child, clients: Child) => {
    const { heapBefore, heapHeld, heapPerWaiter } = await hold(server, clients, count, how)
    await clients.ask({ task: 'vanish' } satisfies ClientTask)
    const { waiting } = await until<ServerReport>(
      () => server.ask('report'),
      ({ connections }) => connections === 0,
    )
    const heapAfter = await server.ask<number>('heap')
    return { heapPerWaiter, left: waiting, keptShare: (heapAfter - heapBefore) / (heapHeld - heapBefore) }
  }
  return withProcesses('ours', use, nodeArgs)
}

async function hold(server: Child, clients: Child, count = waiters, how: 'wait' | 'listen' = 'wait') {
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
  use: (server: Child, clients: Child) => Promise<Result>,
  nodeArgs: readonly string[] = [],
): Promise<Result> {
  const script = (name: string) => new URL(name, import.meta.url)
  const server = await startChild(script('held-requests.ts'), { core: cores.server, nodeArgs }, kind)
  const clients = await startChild(script('clients.ts'), { core: cores.load, nodeArgs })
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
  const of = (figure: keyof Round): Spread => spreadOf(ours.map((each) => each[figure]))
  const heap = of('heapPerWaiter')
  const answered = of('answeredAfterMs')
  const stall = of('longestStallMs')
  const many = waiters.toLocaleString('en')
  return {
    rows: [
      {
        what: `${many} waiters: heap of each beyond an idle connection`,
        figure: `${shown(heap, 0)} bytes`,
        target: '<= 5 kB',
        meets: heap.median <= 5000,
      },
      {
        what: `${many} waiters: all answered after their job has finished`,
        figure: `${shown(answered, 0)} ms`,
        target: '<= 1 s',
        meets: answered.median <= 1000,
      },
      {
        what: `${many} waiters: longest stall of the event loop at the release`,
        figure: `${shown(stall, 0)} ms`,
        target: '<= 50 ms',
        meets: stall.median <= 50,
      },
      {
        what: `${many} waiters: left after their clients have vanished`,
        figure: `${left}, and ${(keptShare * 100).toFixed(0)} % of the heap they took`,
        target: '0, and at most 10 %',
        meets: left === 0 && keptShare <= 0.1,
      },
    ],
    notes: `All wait for one job, over a connection each, which has been idle after an earlier request when the heap is
read for the first time, after a garbage collection. A bare server that holds each with a promise, a timer and a close
listener takes ${bare.heapPerWaiter.toFixed(0)} bytes of heap for each.`,
  }
}

/** Measures requests that wait for their job. */
export const waitersBench: Bench = { name: 'waiters', title: 'Waiting requests', run }
