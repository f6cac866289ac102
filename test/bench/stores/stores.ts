import { fileURLToPath } from 'node:url'
import { type Bench, type BenchResult, full, type Row } from '../bench.ts'
import { atLeast, atMost, inRounds, quantile, ratioOf, row, spreadOf, spreadRow, table } from '../figures.ts'
import { putLoad } from '../http/load.ts'
import { type Measured, outputOfNode, startMeasured } from '../measured-process.ts'
import type { StoreCalls } from './filled-store.ts'

const sizes = [1000, full(10_000), full(100_000), full(1_000_000)] as const
const rounds = full(5)
const reads = full(100_000)
const httpSeconds = 1

interface Weights {
  /** How many bytes of heap a job takes in the memory backend. */
  readonly jobs: { readonly finished: number; readonly processing: number }
  /** How many bytes a create leaves to a collection of the whole heap. */
  readonly garbage: number
}

/** Weighs something in a process of its own. */
export async function weigh<What extends keyof Weights>(what: What): Promise<Weights[What]> {
  const script = fileURLToPath(new URL('weigh.ts', import.meta.url))
  return JSON.parse(await outputOfNode({ flags: ['--expose-gc'] }, script, what))
}

/** What a store does in one round: microseconds of CPU time for a read, and lives and inserts by the clock. */
async function measure({ ask }: Measured<StoreCalls>) {
  const load = await ask('load')
  const before = await ask('cpuMs')
  const afterReads = await ask('read', reads)
  const { requests } = await putLoad(load, httpSeconds)
  const afterLoad = await ask('cpuMs')
  return {
    readUs: ((afterReads - before) / reads) * 1000,
    httpUs: ((afterLoad - afterReads) / requests) * 1000,
    one: await ask('live', full(300), 1),
    many: await ask('live', full(1000), 100),
  }
}

type Sample = Awaited<ReturnType<typeof measure>>

/** Measures stores of all sizes in turn. */
async function samplesOf(kind: 'memory' | 'SQLite'): Promise<readonly (readonly Sample[])[]> {
  const stores: Measured<StoreCalls>[] = []
  try {
    for (const size of sizes) {
      const script = new URL('filled-store.ts', import.meta.url)
      const flags = ['--max-old-space-size=8192']
      stores.push(startMeasured<StoreCalls>(script, { flags }, kind, String(size)))
      // The first round does not count: it compiles the code and lets the heap settle.
      await measure(stores.at(-1)!)
    }
    return await inRounds(rounds, stores, measure)
  } finally {
    await Promise.all(stores.map((store) => store.stop()))
  }
}

function rowsOf(kind: string, samples: readonly (readonly Sample[])[]): Row[] {
  const few = samples[1]!
  const most = samples.at(-1)!
  const [fewWords, mostWords] = [sizes[1], sizes[3]].map((size) => size.toLocaleString('en'))
  const compare = (what: string, figure: (sample: Sample) => number, least?: number) =>
    spreadRow(
      `${kind}: ${what}, ${mostWords} finished jobs against ${fewWords}`,
      ratioOf(most.map(figure), few.map(figure)),
      least === undefined ? undefined : atLeast(least),
    )
  return [
    compare('GET job over HTTP', ({ httpUs }) => 1 / httpUs, 0.9),
    compare('service.get', ({ readUs }) => 1 / readUs),
    compare('full lives of 100 jobs at a time', ({ many }) => many.livesPerSecond, 0.9),
  ]
}

function linesOf(kind: string, samples: readonly (readonly Sample[])[]): string[][] {
  return samples.map((rounds, index) => {
    const median = (figure: (sample: Sample) => number, digits: number) =>
      spreadOf(rounds.map(figure)).median.toFixed(digits)
    const inserts = rounds.flatMap(({ one }) => one.insertUs)
    return [
      `${kind}, ${sizes[index]!.toLocaleString('en')}`,
      median(({ httpUs }) => httpUs, 1),
      median(({ readUs }) => readUs, 1),
      quantile(inserts, 0.5).toFixed(0),
      quantile(inserts, 0.99).toFixed(0),
      median(({ many }) => many.livesPerSecond, 0),
    ]
  })
}

async function run(): Promise<BenchResult> {
  const { finished, processing } = await weigh('jobs')
  const [memory, sqlite] = [await samplesOf('memory'), await samplesOf('SQLite')]
  const bytes = (count: number) => `${count.toFixed(0)} bytes of heap`
  const times = ['GET over HTTP, us', 'service.get, us', 'insert, us', 'insert p99, us']
  const heads = ['finished jobs', ...times, 'lives a second']
  return {
    rows: [
      ...rowsOf('Memory', memory),
      ...rowsOf('SQLite', sqlite),
      row('A finished job in memory', bytes(finished), finished, atMost(2500, '2.5 kB')),
      row('A processing job in memory', bytes(processing)),
    ],
    notes: `Each store is in a process of its own, filled with finished jobs. Reads are of
one set of 1,000 jobs that lie apart in the store, so that each is on memory pages of its own: at a million jobs that is
more than the CPU's page table cache (TLB) holds, which costs service.get some 2 us. Reads of the last 1,000 of a million
jobs are as quick as those of 1,000. Reads are measured in CPU time, which counts all threads, the garbage collector's too.
A life is a create with an idempotency key, a submit, a poll a millisecond later and the end, for which a client waits, with
the ledger of costs. 100 lives at a time, whose writes share commits in SQLite. Inserts are timed with one life at a time.

${table(heads, [...linesOf('memory', memory), ...linesOf('SQLite', sqlite)])}`,
  }
}

/** Measures what the operations cost when the memory backend and a SQLite file hold more and more jobs. */
export const bench: Bench = { title: 'Many jobs in memory and in SQLite', run }
