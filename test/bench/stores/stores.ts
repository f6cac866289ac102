import { fileURLToPath } from 'node:url'
import { type Looks, looksOf } from '../../backend-postgres/looked-at.ts'
import { startPostgres } from '../../postgres/start-postgres.ts'
import { type Bench, type BenchResult, full, roundsOf, type Row } from '../bench.ts'
import { atLeast, atMost, inRounds, ratioOf, row, spreadOf, spreadRow, table } from '../figures.ts'
import { putLoad } from '../http/load.ts'
import { type Measured, outputOfNode, startMeasured } from '../measured-process.ts'
import type { StoreCalls } from './filled-store.ts'
import { type StoreCall, storeCalls } from './store-calls.ts'

const sizes = [full(10_000), full(1_000_000)] as const
const [few, many] = sizes.map((size) => size.toLocaleString('en')) as [string, string]
const rounds = roundsOf(3)
const timedCalls = full(200)
const httpSeconds = 1

interface Weights {
  /** How many bytes of heap a job takes in the memory backend. */
  readonly jobs: { readonly finished: number; readonly processing: number }
  /** How many bytes a create leaves to a collection of the whole heap. */
  readonly garbage: number
  /** How many milliseconds of CPU time 10,000 jobs take in a minute that wait for their vendors. */
  readonly idle: number
}

/** Weighs something in a process of its own. @param jobs how many jobs are made for it */
export async function weigh<What extends keyof Weights>(what: What, jobs = 10_000): Promise<Weights[What]> {
  const script = fileURLToPath(new URL('weigh.ts', import.meta.url))
  return JSON.parse(await outputOfNode({ flags: ['--expose-gc'] }, script, what, String(jobs)))
}

/** What a store does in one round: the CPU time of a GET, the time of each call, and lives by the clock. */
async function measure({ ask }: Measured<StoreCalls>) {
  const load = await ask('load')
  const before = await ask('cpuMs')
  const { requests } = await putLoad(load, httpSeconds)
  const httpUs = (((await ask('cpuMs')) - before) / requests) * 1000
  return {
    httpUs,
    times: await ask('timesOf', timedCalls),
    livesPerSecond: await ask('live', full(1000), 100),
    mapUs: await ask('mapUs', timedCalls),
  }
}

type Sample = Awaited<ReturnType<typeof measure>>
type Times = Readonly<Record<StoreCall, number>>

/** Measures a small store and a large one in turn. */
async function samplesOf(kind: 'memory' | 'SQLite') {
  const stores: Measured<StoreCalls>[] = []
  try {
    for (const size of sizes) {
      const script = new URL('filled-store.ts', import.meta.url)
      const flags = ['--max-old-space-size=8192']
      stores.push(startMeasured<StoreCalls>(script, { flags }, kind, String(size)))
      // The first round does not count: it compiles the code and lets the heap settle.
      await measure(stores.at(-1)!)
    }
    const fileBytes = await stores.at(-1)!.ask('fileBytesPerJob')
    return { kind, samples: await inRounds(rounds, stores, measure), fileBytes }
  } finally {
    await Promise.all(stores.map((store) => store.stop()))
  }
}

/** What the same calls take on Postgres with few and with many jobs, in microseconds. */
async function timesOnPostgres(): Promise<readonly Times[]> {
  const server = await startPostgres(['max_wal_size=4GB', 'shared_buffers=512MB'])
  const nameOf: Readonly<Record<StoreCall, string>> = {
    create: 'insert with an idempotency key and a limit',
    get: 'get',
    list: 'list',
    sweep: 'due, if nothing is',
    limit: 'unfinished',
    ledger: 'a page of costs of an owner',
  }
  const timesIn = (looks: Readonly<Record<string, Looks>>) =>
    Object.fromEntries(storeCalls.map((call) => [call, looks[nameOf[call]]!.ms * 1000])) as Times
  try {
    const times: Times[] = []
    for (const size of sizes)
      times.push(timesIn(await looksOf(server.url('postgres'), `of_${size}`, size, timedCalls)))
    return times
  } finally {
    await server.stop()
  }
}

function timesOfSamples(samples: readonly (readonly Sample[])[]): readonly Times[] {
  const median = (of: readonly Sample[], call: StoreCall) =>
    spreadOf(of.map(({ times }) => times[call])).median
  return samples.map((of) => Object.fromEntries(storeCalls.map((call) => [call, median(of, call)])) as Times)
}

/** How many times as long a read of a bare Map takes with many entries as with few. */
function mapGrowthOf(samples: readonly (readonly Sample[])[]): number {
  const [before, after] = samples.map((of) => spreadOf(of.map(({ mapUs }) => mapUs)).median)
  return after! / before!
}

/**
 * The call whose time grows most from few jobs to many, measured by what it may grow.
 * @param ofMap how much a read of a bare Map grows, for the store that is one. @default no call may grow by more than a fifth
 */
function growthRow(kind: string, [before, after]: readonly Times[], ofMap = 0): Row {
  const growth = storeCalls.map((call) => {
    const most = call === 'get' ? Math.max(1.2, ofMap) : 1.2
    return { call, most, ratio: after![call] / before![call] }
  })
  const { call, most, ratio } = growth.toSorted((a, b) => b.ratio / b.most - a.ratio / a.most)[0]!
  const what = `${kind}: the call that grows most from ${few} jobs to ${many}`
  return row(what, `${ratio.toFixed(2)} (${call})`, ratio, atMost(most))
}

function rowsOf(kind: string, samples: readonly (readonly Sample[])[], ofMap?: number): readonly Row[] {
  const compare = (what: string, figure: (sample: Sample) => number) => {
    const [less = [], more = []] = samples.map((of) => of.map(figure))
    return spreadRow(`${kind}: ${what}, ${many} jobs against ${few}`, ratioOf(more, less), atLeast(0.9))
  }
  return [
    growthRow(kind, timesOfSamples(samples), ofMap),
    compare('GET over HTTP', ({ httpUs }) => 1 / httpUs),
    compare('full lives of 100 jobs at a time', ({ livesPerSecond }) => livesPerSecond),
  ]
}

function linesOf(kind: string, times: readonly Times[], samples?: readonly (readonly Sample[])[]) {
  return times.map((own, index) => {
    const median = (figure: (sample: Sample) => number, digits: number) =>
      samples === undefined ? '' : spreadOf(samples[index]!.map(figure)).median.toFixed(digits)
    return [
      `${kind}, ${[few, many][index]}`,
      ...storeCalls.map((call) => own[call].toFixed(own[call] < 10 ? 1 : 0)),
      median(({ httpUs }) => httpUs, 0),
      median(({ livesPerSecond }) => livesPerSecond, 0),
    ]
  })
}

const what = `Memory and SQLite are in a process each, filled with finished jobs of one owner; Postgres, in which half of the jobs
run, is on the same machine as the process. A column has what half of the calls of the store take at most by the clock, in
microseconds. "create" inserts a job with an idempotency key and a limit, "list" reads a page of 100 jobs, "sweep" looks for
due jobs when there are none, "limit" counts unfinished jobs, and "ledger" reads a page of 100 costs. "get" reads jobs that
lie apart, each on memory pages of its own: of a million jobs those are more than the CPU's page table cache (TLB) holds. GET
over HTTP is the CPU time of a request with all threads. A life is a create with an idempotency key, a submit, a poll a
millisecond later and the end, for which a client waits, with the ledger; 100 lives at a time, whose writes share commits in
SQLite.`

async function run(): Promise<BenchResult> {
  const [{ finished, processing }, idleMs] = [await weigh('jobs'), await weigh('idle')]
  const memory = await samplesOf('memory')
  const sqlite = await samplesOf('SQLite')
  const postgres = await timesOnPostgres()
  const mapGrowth = mapGrowthOf(memory.samples)
  const floor = `In the same run, a read of a bare Map took ${mapGrowth.toFixed(2)} times as long with ${many} entries that lie apart as
with ${few}. The memory store is such a Map, so its "get" may grow by as much, and every other call by a fifth.`
  const idle = table(
    ['an idle job', 'figure'],
    [
      ['heap of a job that runs at its vendor, memory', `${processing.toFixed(0)} bytes`],
      ['heap of a finished job, memory', `${finished.toFixed(0)} bytes`],
      [
        'file of a finished job, SQLite, with its entry in the ledger',
        `${sqlite.fileBytes.toFixed(0)} bytes`,
      ],
      [
        'CPU of 10,000 jobs that run at their vendors, of which none is polled',
        `${idleMs.toFixed(0)} ms a minute`,
      ],
    ],
  )
  const calls = table(
    ['store, jobs', ...storeCalls.map((call) => `${call}, us`), 'GET over HTTP, us of CPU', 'lives a second'],
    [
      ...linesOf('memory', timesOfSamples(memory.samples), memory.samples),
      ...linesOf('SQLite', timesOfSamples(sqlite.samples), sqlite.samples),
      ...linesOf('Postgres', postgres),
    ],
  )
  return {
    rows: [
      ...rowsOf('memory', memory.samples, mapGrowth),
      ...rowsOf('SQLite', sqlite.samples),
      growthRow('Postgres', postgres),
      row(
        'A finished job in memory',
        `${finished.toFixed(0)} bytes of heap`,
        finished,
        atMost(2500, '2.5 kB'),
      ),
    ],
    notes: [idle, calls, `${what}\n${floor}`].join('\n\n'),
  }
}

/** Measures what jobs cost that are only there, and what the calls cost when there are more and more. */
export const bench: Bench = { title: 'An idle job, and a million of them', run }
