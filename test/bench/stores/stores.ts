import { fileURLToPath } from 'node:url'
import { type Bench, type BenchResult, full, type Row } from '../bench.ts'
import { atLeast, atMost, inRounds, quantile, ratioOf, row, spreadOf, spreadRow, table } from '../figures.ts'
import { type Load, putLoad } from '../http/load.ts'
import { type Measured, outputOfNode, startMeasured } from '../measured-process.ts'
import type { LivesAnswer, StoreQuestion } from './filled-store.ts'

const sizes = [1000, full(10_000), full(100_000), full(1_000_000)] as const
const rounds = full(5)
const reads = full(100_000)
const httpSeconds = 1

interface Store extends Measured<Load> {
  readonly size: number
}

/** What a store did in one round: microseconds of CPU time for a read, and lives and inserts by the clock. */
interface Sample {
  readonly httpUs: number
  readonly readUs: number
  readonly one: LivesAnswer
  readonly many: LivesAnswer
}

/** How many bytes of heap a job takes in the memory backend of a process of its own. */
export function weighJobs(): Promise<{ readonly finished: number; readonly processing: number }> {
  return weigh('jobs')
}

/** How many bytes a create leaves to a collection of the whole heap, in a process of its own. */
export function weighGarbage(): Promise<number> {
  return weigh('garbage')
}

async function weigh<Weights>(what: 'jobs' | 'garbage'): Promise<Weights> {
  const script = fileURLToPath(new URL('weigh.ts', import.meta.url))
  return JSON.parse(await outputOfNode({ flags: ['--expose-gc'] }, script, what))
}

async function measure({ ask, greeting: load }: Store): Promise<Sample> {
  const store = <Answer>(question: StoreQuestion) => ask<Answer>(question)
  const before = await store<number>({ do: 'cpu' })
  const afterReads = await store<number>({ do: 'read', reads })
  const { requests } = await putLoad(load, httpSeconds)
  const afterLoad = await store<number>({ do: 'cpu' })
  return {
    readUs: ((afterReads - before) / reads) * 1000,
    httpUs: ((afterLoad - afterReads) / requests) * 1000,
    one: await store({ do: 'live', lives: full(300), atATime: 1 }),
    many: await store({ do: 'live', lives: full(1000), atATime: 100 }),
  }
}

/** Measures stores of all sizes in turn. */
async function samplesOf(kind: 'memory' | 'SQLite'): Promise<readonly (readonly Sample[])[]> {
  const stores: Store[] = []
  try {
    for (const size of sizes) {
      const script = new URL('filled-store.ts', import.meta.url)
      const flags = ['--max-old-space-size=8192']
      const store = await startMeasured<Load>(script, { flags }, kind, String(size))
      stores.push({ ...store, size })
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
  const { finished, processing } = await weighJobs()
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
export const storesBench: Bench = { name: 'stores', title: 'Many jobs in memory and in SQLite', run }
