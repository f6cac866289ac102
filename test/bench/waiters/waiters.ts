import { until } from '../../until.ts'
import { type Bench, type BenchResult, full } from '../bench.ts'
import { atMost, row, type Spread, spreadOf, spreadRow } from '../figures.ts'
import { type Measured, startMeasured } from '../measured-process.ts'
import type { Answers, ClientTask } from './clients.ts'
import type { ServerReport } from './held-requests.ts'

const waiters = full(10_000)
/** How many requests are held, and let go, before anything is measured. */
const warmingUp = 500
const rounds = full(5)

interface Round {
  /** The heap that a held request takes in addition to an idle connection, in bytes. */
  readonly heapPerWaiter: number
  readonly answeredAfterMs: number
  readonly longestStallMs: number
}

/** Holds all requests, and then lets their job finish. */
function holdAndRelease(): Promise<Round> {
  return withProcesses(async (server, clients) => {
    const { heapPerWaiter } = await hold(server, clients)
    await server.ask('finish')
    await until(async () => (await answersOf(clients)).answered >= waiters)
    const { finished, lastAt } = await answersOf(clients)
    const { finishedAt, longestStallMs } = await reportOf(server)
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
  return withProcesses(async (server, clients) => {
    const { heapBefore, heapHeld, heapPerWaiter } = await hold(server, clients, count, how)
    await clients.ask({ task: 'vanish' } satisfies ClientTask)
    await until(async () => (await reportOf(server)).connections === 0)
    const { waiting } = await reportOf(server)
    const heapAfter = await server.ask<number>('heap')
    return { heapPerWaiter, left: waiting, keptShare: (heapAfter - heapBefore) / (heapHeld - heapBefore) }
  })
}

async function hold(server: Measured, clients: Measured, count = waiters, how: 'wait' | 'listen' = 'wait') {
  const { port, jobId } = await reportOf(server)
  const hang = async (held: number) => {
    await clients.ask((how === 'wait' ? { task: how } : { task: how, jobId }) satisfies ClientTask)
    await until(async () => (await reportOf(server)).waiting >= held)
  }
  // The code that is compiled for the first requests is no part of what each request takes.
  await clients.ask({ task: 'idle', port, count: warmingUp } satisfies ClientTask)
  await hang(warmingUp)
  await clients.ask({ task: 'vanish' } satisfies ClientTask)
  await until(async () => {
    const { connections, waiting } = await reportOf(server)
    return connections === 0 && waiting === 0
  })
  const heapBefore = await server.ask<number>('heap')
  await clients.ask({ task: 'idle', port, count } satisfies ClientTask)
  const heapIdle = await server.ask<number>('heap')
  await hang(count)
  const heapHeld = await server.ask<number>('heap')
  return { heapBefore, heapHeld, heapPerWaiter: (heapHeld - heapIdle) / count }
}

const reportOf = (server: Measured) => server.ask<ServerReport>('report')
const answersOf = (clients: Measured) => clients.ask<Answers>({ task: 'answers' } satisfies ClientTask)

async function withProcesses<Result>(
  use: (server: Measured, clients: Measured) => Promise<Result>,
): Promise<Result> {
  const flags = ['--expose-gc', '--max-old-space-size=8192']
  const server = await startMeasured(new URL('held-requests.ts', import.meta.url), { flags })
  const clients = await startMeasured(new URL('clients.ts', import.meta.url), { flags, core: 'load' })
  try {
    return await use(server, clients)
  } finally {
    await Promise.all([server.stop(), clients.stop()])
  }
}

async function run(): Promise<BenchResult> {
  const ours: Round[] = []
  for (let round = 0; round < rounds; round++) ours.push(await holdAndRelease())
  const { left, keptShare } = await weighWaiters(waiters)
  const [heap, answered, stall] = (['heapPerWaiter', 'answeredAfterMs', 'longestStallMs'] as const).map(
    (figure) => spreadOf(ours.map((each) => each[figure])),
  ) as [Spread, Spread, Spread]
  const what = (words: string) => `${waiters.toLocaleString('en')} waiters: ${words}`
  return {
    rows: [
      spreadRow(what('heap of each beyond an idle connection, bytes'), heap, atMost(5000, '5 kB'), 0),
      spreadRow(what('all answered after their job has finished, ms'), answered, atMost(1000, '1 s'), 0),
      spreadRow(what('longest stall of the event loop at the release, ms'), stall, atMost(50, '50 ms'), 0),
      row(
        what('left after their clients have vanished'),
        `${left}, and ${(keptShare * 100).toFixed(0)} % of the heap they took`,
        left + keptShare,
        atMost(0.1, '0, and 10 %'),
      ),
    ],
    notes: `All wait for one job, over a connection each, which has been idle after an earlier request when the heap is
read for the first time, after a garbage collection.`,
  }
}

/** Measures requests that wait for their job. */
export const waitersBench: Bench = { name: 'waiters', title: 'Waiting requests', run }
