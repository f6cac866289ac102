import { loadavg } from 'node:os'
import { postgresMigrations } from '@genmount/backend-postgres'
import pg from 'pg'
import { type StartedPostgres, startPostgres } from '../../postgres/start-postgres.ts'
import { type Bench, type BenchResult, full, type Row } from '../bench.ts'
import { atLeast, atMost, ratioOf, row, shown } from '../figures.ts'
import { clusterNotes } from './cluster-notes.ts'
import { keptLives } from './kept-lives.ts'
import { best, type ClusterRates, clusterRates, type Rounds } from './cluster-rates.ts'
import { type ReadsBySize, readsBySize } from './reads-by-size.ts'
import type { RecordedLife } from './recorded-life.ts'
import { simulateDays } from './simulate-day.ts'
import { poolSize, type StartedCluster, startCluster, statementsOfPolledLife } from './started-cluster.ts'
import { wakingTimes } from './waking-times.ts'

const wakes = full(200)
const kept = full(100_000)
const sizes = { few: full(10_000), many: full(1_000_000) } as const

async function withCluster<Result>(
  server: StartedPostgres,
  count: number,
  use: (cluster: StartedCluster) => Promise<Result>,
): Promise<Result> {
  const cluster = await startCluster(server, count)
  try {
    return await use(cluster)
  } finally {
    await cluster.stop()
  }
}

async function run(): Promise<BenchResult> {
  const load = [loadavg()[0]!]
  const server = await startPostgres(['max_wal_size=4GB', 'autovacuum_naptime=5s', 'shared_buffers=1GB'])
  try {
    const one = await withCluster(server, 1, async (cluster) => {
      const node = cluster.nodes[0]!
      const rates = await clusterRates(cluster)
      const polled = await node.ask<RecordedLife>({ do: 'record', model: 'bench-video' })
      await node.ask({ do: 'call back', origin: node.greeting.ours, afterMs: 1500 })
      const called = await node.ask<RecordedLife>({ do: 'record', model: 'bench-called' })
      return { rates, polled, called }
    })
    const three = await withCluster(server, 3, async (cluster) => ({
      rates: await clusterRates(cluster),
      waking: await wakingTimes(cluster, wakes),
    }))
    const alone = new pg.Pool({ connectionString: server.url('postgres'), max: 2 })
    for (const { sql } of postgresMigrations()) await alone.query(sql)
    const leavings = await keptLives(alone, one.polled, { lives: kept, kept })
    await alone.end()
    const reads = await readsBySize(server.url('postgres'), one.polled, sizes)
    load.push(loadavg()[0]!)
    const days = simulateDays(jobCosts(one, leavings))
    return {
      rows: [
        ...rowsOf('one node', one.rates),
        ...rowsOf('three nodes', three.rates),
        ...wakingRows(three.waking),
        sizeRow(reads),
      ],
      notes: clusterNotes({ one, three, leavings, days, load }),
    }
  } finally {
    await server.stop()
  }
}

function jobCosts(
  { rates, called }: { rates: ClusterRates; called: RecordedLife },
  leavings: Awaited<ReturnType<typeof keptLives>>,
) {
  const isRead = (name: string) => /get|holderOfKey/.test(name)
  const reads = called.statements.filter(({ name }) => isRead(name)).length
  // Raw lives kept all connections of the process busy.
  const statementMs = 1000 / ((best(rates.lives.theirs) * statementsOfPolledLife) / poolSize)
  return {
    base: { writes: 4, reads: 0 },
    perPoll: { writes: 1, reads: 1 },
    called: { writes: called.statements.length - reads + 1, reads },
    bytes: (leavings.table + leavings.indexes) / leavings.jobs,
    costBytes: leavings.costs / leavings.jobs,
    statementMs,
  }
}

function rowsOf(nodes: string, { lives, creates, reads }: ClusterRates): Row[] {
  return [
    ratioRow(`Postgres, ${nodes}: job lives against raw SQL of the same statements`, lives, 0.5),
    ratioRow(
      `Postgres, ${nodes}: creates, submitted and running, against raw SQL of the same statements`,
      creates,
    ),
    ratioRow(`Postgres, ${nodes}: GET job against bare node:http with one indexed SELECT`, reads, 0.7),
  ]
}

function ratioRow(what: string, { ours, theirs }: Rounds, bound?: number): Row {
  const [rate, ratio] = [best(ours), best(ours) / best(theirs)]
  const figure = shown({ ...ratioOf(ours, theirs), median: ratio })
  return row(
    what,
    `${figure}, ${rate.toFixed(0)} a second`,
    ratio,
    bound === undefined ? undefined : atLeast(bound),
  )
}

function wakingRows(sorted: readonly number[]): Row[] {
  const bounds = [
    { name: 'p50', part: 0.5, ms: 100 },
    { name: 'p99', part: 0.99, ms: 300 },
  ]
  return bounds.map(({ name, part, ms }) => {
    const value = sorted[Math.floor(part * (sorted.length - 1))]!
    const what = `Provider done, called back at another node, to the waiter's answer, ${name}`
    return row(what, `${value.toFixed(0)} ms`, value, atMost(ms, `${ms} ms`))
  })
}

function sizeRow({ few, many, ratio }: ReadsBySize): Row {
  return row(
    `Read of a job, ${sizes.many.toLocaleString('en')} rows against ${sizes.few.toLocaleString('en')}`,
    `${shown(ratio)}, ${many.median.toFixed(0)} against ${few.median.toFixed(0)} us`,
    ratio.median,
    atMost(1.2),
  )
}

/** Measures nodes that share one Postgres, beside raw SQL of the same statements. */
export const clusterBench: Bench = { name: 'cluster', title: 'Nodes on Postgres', run }
