import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../until.ts'
import { type Bench, type BenchResult, full, roundsOf } from '../bench.ts'
import { atMost, row, shown, type Spread, spreadOf, spreadRow, table } from '../figures.ts'
import { type Measured, startMeasured } from '../measured-process.ts'
import { connectClients, heldRequests } from './clients.ts'
import type { HeldCalls } from './held-requests.ts'

const waiters = full(10_000)
/** How many requests are held, and let go, before anything is measured. */
const warmingUp = 500
const rounds = roundsOf(3)
/** For how long the CPU time of held requests is counted, in milliseconds. */
const quietMs = full(3000)

type HeldRequest = keyof typeof heldRequests

/** Holds all requests, and then lets their job finish. */
function holdAndRelease() {
  return withServer(async (server) => {
    const { clients, heapPerWaiter, takingMs } = await hold(server, waiters, 'wait')
    const { answers } = clients
    const heldFrom = await server.ask('cpuMs')
    await sleep(quietMs)
    const releasedFrom = await server.ask('cpuMs')
    await server.ask('finish')
    await until(() => answers.received >= waiters)
    const releasingMs = (await server.ask('cpuMs')) - releasedFrom
    const { finishedAt, longestStallMs } = await server.ask('report')
    clients.disconnect()
    if (answers.finished !== waiters)
      throw new Error(`Only ${answers.finished} of ${waiters} got a finished job.`)
    return {
      heapPerWaiter,
      /** The CPU time of a waiter from its request to its answer, but for the time between them. */
      usPerWaiter: ((takingMs + releasingMs) / waiters) * 1000,
      usPerHeldMinute: ((releasedFrom - heldFrom) / waiters) * 1000 * (60_000 / quietMs),
      answeredAfterMs: answers.lastAt - finishedAt,
      longestStallMs,
    }
  })
}

/**
 * Holds `count` requests, and then disconnects their clients.
 * @returns the heap of each in addition to an idle connection, how many are left, and the part of the heap that is still in
 *   use afterwards, from 0 to 1
 */
export function weighWaiters(count: number, how: HeldRequest) {
  return withServer(async (server) => {
    const { clients, heapBefore, heapHeld, heapPerWaiter } = await hold(server, count, how)
    clients.disconnect()
    await until(async () => (await server.ask('report')).connections === 0)
    const { waiting } = await server.ask('report')
    const heapAfter = await server.ask('heap')
    return { heapPerWaiter, left: waiting, keptShare: (heapAfter - heapBefore) / (heapHeld - heapBefore) }
  })
}

async function hold(server: Measured<HeldCalls>, count: number, how: HeldRequest) {
  const { port, jobId } = await server.ask('report')
  const request = heldRequests[how](jobId)
  const areWaiting = (held: number) => until(async () => (await server.ask('report')).waiting >= held)
  // The code that is compiled for the first requests is no part of what each request takes.
  const first = await connectClients(port, warmingUp)
  await first.send(request)
  await areWaiting(warmingUp)
  first.disconnect()
  await until(async () => {
    const { connections, waiting } = await server.ask('report')
    return connections === 0 && waiting === 0
  })
  const heapBefore = await server.ask('heap')
  const clients = await connectClients(port, count)
  const heapIdle = await server.ask('heap')
  const cpuIdle = await server.ask('cpuMs')
  await clients.send(request)
  await areWaiting(count)
  const takingMs = (await server.ask('cpuMs')) - cpuIdle
  const heapHeld = await server.ask('heap')
  return { clients, heapBefore, heapHeld, heapPerWaiter: (heapHeld - heapIdle) / count, takingMs }
}

async function withServer<Result>(use: (server: Measured<HeldCalls>) => Promise<Result>): Promise<Result> {
  const flags = ['--expose-gc', '--max-old-space-size=8192']
  const server = startMeasured<HeldCalls>(new URL('held-requests.ts', import.meta.url), { flags })
  return use(server).finally(() => server.stop())
}

async function run(): Promise<BenchResult> {
  const ours: Awaited<ReturnType<typeof holdAndRelease>>[] = []
  for (let round = 0; round < rounds; round++) ours.push(await holdAndRelease())
  const { left, keptShare } = await weighWaiters(waiters, 'wait')
  const spread = (figure: keyof (typeof ours)[number]): Spread => spreadOf(ours.map((each) => each[figure]))
  const what = (words: string) => `${waiters.toLocaleString('en')} waiters: ${words}`
  const lines = [
    ['heap beyond that of an idle connection, bytes', shown(spread('heapPerWaiter'), 0)],
    ['CPU to take its request and to answer it, us', shown(spread('usPerWaiter'), 0)],
    ['CPU for each minute that it waits, us', shown(spread('usPerHeldMinute'), 0)],
  ] as const
  return {
    rows: [
      spreadRow(what('heap of each, bytes'), spread('heapPerWaiter'), atMost(5000, '5 kB'), 0),
      spreadRow(
        what('all answered after their job has finished, ms'),
        spread('answeredAfterMs'),
        atMost(1000, '1 s'),
        0,
      ),
      spreadRow(
        what('longest stall of the event loop at the release, ms'),
        spread('longestStallMs'),
        atMost(50, '50 ms'),
        0,
      ),
      row(
        what('left after their clients have vanished'),
        `${left}, and ${(keptShare * 100).toFixed(0)} % of the heap they took`,
        left + keptShare,
        atMost(0.1, '0, and 10 %'),
      ),
    ],
    notes: `${table(['a request with `wait=true`', 'median (least to most)'], lines)}

${waiters.toLocaleString('en')} requests wait for one job, over a connection each, which has been idle after an earlier request when the heap is
read for the first time, after a garbage collection.`,
  }
}

/** Measures requests that wait for their job. */
export const bench: Bench = { title: 'A waiter: a request that waits for its job', run }
