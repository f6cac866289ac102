import { startPostgres } from '../../postgres/start-postgres.ts'
import { type Bench, type BenchResult, full, roundsOf } from '../bench.ts'
import { atMost, inRounds, quantile, ratioOf, row, shown, spreadOf, spreadRow, table } from '../figures.ts'
import { type Measured, startMeasured } from '../measured-process.ts'
import type { Budgets, LimitedCalls } from './limited-creates.ts'

const rounds = roundsOf(9)
const creates = full(3000)
/** Rounds of creates on Postgres, which take turns. */
const turns = roundsOf(3)
const perSecond = 200
const turnMs = full(3000, 3)

const script = new URL('limited-creates.ts', import.meta.url)
const labels: Readonly<Record<Budgets, string>> = {
  none: 'no limit',
  one: 'a limit for a day',
  three: 'a day, a month and a balance',
  four: 'a day, a month, a balance, and a day of the key',
}

const what = `A limit on spending reserves the price of a job in the write that stores it. In memory, creates come one after
the other in one process, and the figure is the CPU time of a create with its submit; the rounds take the limits in turn, and
each begins with an empty store. On Postgres, ${perSecond} creates a second of 20 owners come at an even pace, in turns with
and without limits, and their jobs end a second later; the time is from the call of \`service.create\` to its answer.
Statements are those of the whole lives of jobs that 20 owners create one after the other, who have created nothing for 2.5
seconds.`

async function using<Result>(
  server: Measured<LimitedCalls>,
  use: (ask: Measured<LimitedCalls>['ask']) => Promise<Result>,
): Promise<Result> {
  return use(server.ask).finally(() => server.stop())
}

/** The CPU time of creates in memory, by rounds. */
function inMemory(subjects: readonly Budgets[]) {
  return using(startMeasured<LimitedCalls>(script, {}), async (ask) => {
    for (const subject of subjects) await ask('cpuUs', subject, creates)
    return inRounds(rounds, subjects, (subject) => ask('cpuUs', subject, creates))
  })
}

/** What creates take on Postgres without limits and with three budgets. */
async function onPostgres() {
  const server = await startPostgres(['max_wal_size=4GB', 'shared_buffers=512MB'])
  const measured = startMeasured<LimitedCalls>(script, { onAllCores: true }, server.url('postgres'))
  try {
    return await using(measured, async (ask) => {
      const subjects = ['none', 'three'] as const
      const times = await inRounds(turns, subjects, (subject) => ask('latency', subject, perSecond, turnMs))
      const alone = [await ask('statements', 'none'), await ask('statements', 'one')] as const
      return { times: times.map((each) => each.flat()), alone }
    })
  } finally {
    await server.stop()
  }
}

async function run(): Promise<BenchResult> {
  const subjects = ['none', 'one', 'four'] as const
  const [none = [], one = [], four = []] = await inMemory(subjects)
  const { times, alone } = await onPostgres()
  const [free = [], limited = []] = times
  const statements = alone[1] - alone[0]
  const p99 = quantile(limited, 0.99)
  const cpu = [none, one, four].map((us) => shown(spreadOf(us), 0))
  const ms = (took: readonly number[], part: number) => quantile(took, part).toFixed(1)
  const inMemoryTable = table(
    ['a create in memory', 'CPU, us: median (least to most)'],
    subjects.map((subject, index) => [labels[subject], cpu[index]!]),
  )
  const onPostgresTable = table(
    ['a create on Postgres', 'p50, ms', 'p99, ms', 'statements of a life, alone'],
    [
      [labels.none, ms(free, 0.5), ms(free, 0.99), alone[0].toFixed(1)],
      [labels.one, '', '', alone[1].toFixed(1)],
      [labels.three, ms(limited, 0.5), ms(limited, 0.99), ''],
    ],
  )
  return {
    rows: [
      spreadRow(
        'A create with a limit on spending, against one without, memory',
        ratioOf(one, none),
        atMost(1.3),
      ),
      spreadRow('The same with four budgets', ratioOf(four, none), atMost(1.3)),
      // A sweep or a heartbeat may come in between.
      row('Statements on Postgres more than without', statements.toFixed(1), statements, atMost(1.2, '1')),
      row(
        `p99 of ${perSecond} creates a second with three budgets`,
        `${p99.toFixed(0)} ms`,
        p99,
        atMost(100, '100 ms'),
      ),
    ],
    notes: [inMemoryTable, onPostgresTable, what].join('\n\n'),
  }
}

/** Measures what limits on spending add to a create. */
export const bench: Bench = { title: 'A limit on spending', run }
