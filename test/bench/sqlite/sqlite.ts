import { tmpdir } from 'node:os'
import type { Bench, BenchResult } from '../bench.ts'
import { cores } from '../http/pinned.ts'
import { shown, type Spread, spreadOf } from '../http/ratio.ts'
import { startChild } from '../waiters/child-process.ts'
import { readsPerLife, writesPerLife } from './job-lives.ts'
import type { LivesQuestion, PhaseRates } from './sqlite-lives.ts'

const sizes = [10_000, 100_000, 1_000_000] as const
const rounds = 5
/** How many jobs are stored in one round. */
const lives = { fewAtATime: 200, manyAtATime: 1000 } as const

interface Rates {
  readonly raw: number[]
  readonly rawAgain: number[]
  readonly oneByOne: number[]
  readonly many: number[]
  readonly bySize: ReadonlyMap<number, PhaseRates[]>
}

async function measure(): Promise<Rates> {
  const rates: Rates = {
    raw: [],
    rawAgain: [],
    oneByOne: [],
    many: [],
    bySize: new Map(sizes.map((size) => [size, []])),
  }
  const child = await startChild(
    new URL('sqlite-lives.ts', import.meta.url),
    { core: cores.server },
    tmpdir(),
  )
  const ask = <Answer>(question: LivesQuestion) => child.ask<Answer>(question)
  try {
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
        what: 'SQLite, full life of a job, one at a time, against raw prepared statements',
        figure: shown(oneByOne),
        target: '>= 0.60',
        meets: oneByOne.median >= 0.6,
      },
      {
        what: 'SQLite, full life of a job, 100 at a time, against raw prepared statements one at a time',
        figure: shown(ratio(rates.many, rates.raw)),
      },
      {
        what: 'SQLite, raw prepared statements against themselves',
        figure: shown(ratio(rates.rawAgain, rates.raw)),
      },
      {
        what: 'SQLite, full life of a job, 1,000,000 rows against 10,000',
        figure: shown(large),
        target: '>= 0.80',
        meets: large.median >= 0.8,
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
  return `${median('create')} creates, ${median('claim')} claims, ${median('finish')} finishes a second`
}

function notes({ raw, oneByOne, many }: Rates): string {
  const median = (values: readonly number[]) => spreadOf(values).median.toFixed(0)
  return `A life is ${writesPerLife} writes and ${readsPerLife} reads: accept; read, claim, running; read, claim, outputs,
finish. Raw is a prepared statement for each over a table of the same columns and indexes, each write a transaction of its
own, WAL, synchronous = FULL, the rows' text made beforehand: ${median(raw)} lives a second. The store, one life at a time:
${median(oneByOne)} a second. The store, 100 lives at a time, whose writes share commits: ${median(many)} a second. The
rows at 10,000 and more are measured with 100 jobs at a time; a finish is two writes, outputs and end.

What makes large files slower is where new rows go in the index over idempotency keys, which every job has here: the keys
are random, so that each create of a million changes a page of its own, which a checkpoint then writes. Ids begin with
their instant and go to the end of theirs.`
}

/** Measures how many jobs the SQLite backend stores in a second. */
export const sqliteBench: Bench = { name: 'sqlite', title: 'SQLite', run }
