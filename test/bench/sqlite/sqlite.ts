import { tmpdir } from 'node:os'
import type { Bench, BenchResult } from '../bench.ts'
import { cores } from '../http/pinned.ts'
import { shown, type Spread, spreadOf } from '../http/ratio.ts'
import { startChild } from '../waiters/child-process.ts'
import { sixWriteLife } from './six-write-life.ts'
import type { CallCounts, LivesQuestion, PhaseRates } from './sqlite-lives.ts'

const sizes = [10_000, 100_000, 1_000_000] as const
const rounds = 5
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
  const child = await startChild(
    new URL('sqlite-lives.ts', import.meta.url),
    { core: cores.server },
    tmpdir(),
  )
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

function ratio(ours: readonly number[], theirs: readonly number[]): Spread {
  return spreadOf(ours.map((rate, round) => rate / theirs[round]!))
}

async function run(): Promise<BenchResult> {
  const rates = await measure()
  const oneByOne = ratio(rates.oneByOne, rates.raw)
  const lifeAt = (size: number) => rates.bySize.get(size)!.map(({ life }) => life)
  const large = ratio(lifeAt(1_000_000), lifeAt(10_000))
  return {
    rows: [
      {
        what: 'SQLite, full life of a job, one at a time, against raw statements of the six writes of old',
        figure: shown(oneByOne),
        target: '>= 0.85',
        meets: oneByOne.median >= 0.85,
      },
      {
        what: 'SQLite, full life of a job, 100 at a time, against the same',
        figure: shown(ratio(rates.many, rates.raw)),
      },
      {
        what: 'SQLite, the raw statements against themselves',
        figure: shown(ratio(rates.rawAgain, rates.raw)),
      },
      {
        what: 'SQLite, full life of a job, 1,000,000 rows against 10,000',
        figure: shown(large),
        target: '>= 0.90',
        meets: large.median >= 0.9,
      },
      ...sizes.map((size) => ({
        what: `SQLite at ${size.toLocaleString('en')} rows`,
        figure: perSecond(rates, size),
      })),
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
