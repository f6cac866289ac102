import { tmpdir } from 'node:os'
import { type Bench, type BenchResult, full } from '../bench.ts'
import { atLeast, ratioOf, row, spreadOf, spreadRow } from '../figures.ts'
import { startMeasured } from '../measured-process.ts'
import { sixWriteLife } from './raw-lives.ts'
import type { CallCounts, LivesQuestion, PhaseRates } from './sqlite-lives.ts'

const sizes = [full(10_000), full(100_000), full(1_000_000)] as const
const rounds = full(5)
/** How many jobs are stored in one round. */
const lives = { fewAtATime: 200, manyAtATime: 1000 } as const

interface Rates {
  readonly calls: CallCounts
  readonly raw: number[]
  readonly rawAgain: number[]
  readonly oneByOne: number[]
  readonly many: number[]
  readonly bySize: ReadonlyMap<number, PhaseRates[]>
}

async function measure(): Promise<Rates> {
  const flags = ['--max-old-space-size=8192']
  const child = await startMeasured(new URL('sqlite-lives.ts', import.meta.url), { flags }, tmpdir())
  const ask = <Answer>(question: LivesQuestion) => child.ask<Answer>(question)
  try {
    const rates: Rates = {
      calls: await ask({ do: 'count' }),
      raw: [],
      rawAgain: [],
      oneByOne: [],
      many: [],
      bySize: new Map(sizes.map((size) => [size, []])),
    }
    for (const rows of sizes) await ask({ do: 'fill', rows })
    const few = lives.fewAtATime
    await ask({ do: 'raw', lives: few })
    await ask({ do: 'one by one', lives: few })
    for (let round = 0; round < rounds; round++) {
      rates.raw.push(await ask({ do: 'raw', lives: few }))
      rates.oneByOne.push(await ask({ do: 'one by one', lives: few }))
      rates.rawAgain.push(await ask({ do: 'raw', lives: few }))
      rates.many.push(await ask({ do: 'many', lives: lives.manyAtATime }))
      for (const rows of round % 2 === 0 ? sizes : sizes.toReversed())
        rates.bySize.get(rows)!.push(await ask({ do: 'rates', rows, lives: lives.manyAtATime }))
    }
    return rates
  } finally {
    await child.stop()
  }
}

async function run(): Promise<BenchResult> {
  const rates = await measure()
  const lifeAt = (size: number) => rates.bySize.get(size)!.map(({ life }) => life)
  const life = 'SQLite, full life of a job'
  const [few, , most] = sizes
  return {
    rows: [
      spreadRow(
        `${life}, one at a time, against raw statements of the six writes of old`,
        ratioOf(rates.oneByOne, rates.raw),
        atLeast(0.85),
      ),
      spreadRow(`${life}, 100 at a time, against the same`, ratioOf(rates.many, rates.raw)),
      spreadRow('SQLite, the raw statements against themselves', ratioOf(rates.rawAgain, rates.raw)),
      spreadRow(
        `${life}, ${most.toLocaleString('en')} rows against ${few.toLocaleString('en')}`,
        ratioOf(lifeAt(most), lifeAt(few)),
        atLeast(0.9),
      ),
      ...sizes.map((size) => row(`SQLite at ${size.toLocaleString('en')} rows`, perSecond(rates, size))),
    ],
    notes: notes(rates),
  }
}

function perSecond({ bySize }: Rates, size: number): string {
  const median = (phase: keyof PhaseRates) =>
    spreadOf(bySize.get(size)!.map((each) => each[phase])).median.toFixed(0)
  return `${median('create')} creates, ${median('life')} lives a second`
}

function notes({ calls, raw, oneByOne, many }: Rates): string {
  const median = (values: readonly number[]) => spreadOf(values).median.toFixed(0)
  return `A life is that of a job with one poll, for which a client waits. Ours is what a service asked of the store when it
led such a job: ${calls.writes} writes and ${calls.reads} reads, with the ledger of costs. Raw is the least code that stores what the first release
stored, ${sixWriteLife.writes} writes and ${sixWriteLife.reads} reads: a prepared statement for each, each write a transaction of its own, WAL, synchronous = FULL,
no ledger, and the text of the rows made beforehand: ${median(raw)} lives a second. The store, one life at a time: ${median(oneByOne)} a
second. The store, 100 lives at a time, whose writes share commits: ${median(many)} a second. The rates of files with 10,000
rows and more are measured with 100 jobs at a time.`
}

/** Measures how many jobs the SQLite backend stores in a second. */
export const sqliteBench: Bench = { name: 'sqlite', title: 'SQLite', run }
