import { loadavg } from 'node:os'
import { postgresMigrations } from '@genmount/backend-postgres'
import pg from 'pg'
import { startPostgres } from '../../postgres/start-postgres.ts'
import { type Bench, type BenchResult, full, type Row } from '../bench.ts'
import { atLeast, atMost, quantile, ratioOf, row, shown, spreadOf, table } from '../figures.ts'
import { keptLives, type Leavings } from './kept-lives.ts'
import { best, type ClusterRates, clusterRates, type Rounds } from './cluster-rates.ts'
import { readsBySize } from './reads-by-size.ts'
import type { RecordedLife } from './recorded-life.ts'
import { simulatedDay } from './simulate-day.ts'
import { poolSize, statementsOfPolledLife, withCluster } from './started-cluster.ts'
import { wakingTimes } from './waking-times.ts'

const wakes = full(200)
const kept = full(100_000)
const sizes = [full(10_000), full(1_000_000)] as const

async function run(): Promise<BenchResult> {
  const load = [loadavg()[0]!]
  const server = await startPostgres(['max_wal_size=4GB', 'autovacuum_naptime=5s', 'shared_buffers=1GB'])
  try {
    const one = await withCluster(server, 1, async (cluster) => {
      const node = cluster[0]!
      const rates = await clusterRates(cluster)
      const polled = await node.ask('record', 'bench-video')
      await node.ask('callBack', node.ours, 1500)
      const called = await node.ask('record', 'bench-called')
      return { rates, polled, called }
    })
    const three = await withCluster(server, 3, async (cluster) => ({
      rates: await clusterRates(cluster),
      waking: await wakingTimes(cluster, wakes),
    }))
    const pool = new pg.Pool({ connectionString: server.url('postgres'), max: 3 })
    pool.on('error', () => {})
    for (const { sql } of postgresMigrations()) await pool.query(sql)
    const leavings = await keptLives(pool, one.polled, kept)
    const size = await sizeRow(pool, one.polled)
    await pool.end()
    load.push(loadavg()[0]!)
    return {
      rows: [
        ...rowsOf('one node', one.rates),
        ...rowsOf('three nodes', three.rates),
        ...wakingRows(three.waking),
        size,
      ],
      notes: notes(load, [one.rates, three.rates], leavings, one.called),
    }
  } finally {
    await server.stop()
  }
}

function rowsOf(nodes: string, { lives, creates, reads }: ClusterRates): Row[] {
  const raw = 'against raw SQL of the same statements'
  return [
    ratioRow(`Postgres, ${nodes}: job lives ${raw}`, lives, 0.5),
    ratioRow(`Postgres, ${nodes}: creates, submitted and running, ${raw}`, creates),
    ratioRow(`Postgres, ${nodes}: GET job against bare node:http with one indexed SELECT`, reads, 0.7),
  ]
}

function ratioRow(what: string, { ours, theirs }: Rounds, bound?: number): Row {
  const median = best(ours) / best(theirs)
  const figure = `${shown({ ...ratioOf(ours, theirs), median })}, ${best(ours).toFixed(0)} a second`
  return row(what, figure, median, bound === undefined ? undefined : atLeast(bound))
}

function wakingRows(times: readonly number[]): Row[] {
  const bounds = [
    { name: 'p50', part: 0.5, ms: 100 },
    { name: 'p99', part: 0.99, ms: 300 },
  ]
  return bounds.map(({ name, part, ms }) => {
    const value = quantile(times, part)
    const what = `Provider done, called back at another node, to the waiter's answer, ${name}`
    return row(what, `${value.toFixed(0)} ms`, value, atMost(ms, `${ms} ms`))
  })
}

async function sizeRow(pool: pg.Pool, life: RecordedLife): Promise<Row> {
  const [few = [], many = []] = await readsBySize(pool, life, sizes)
  const [fewer, more] = sizes.map((size) => size.toLocaleString('en'))
  const us = (times: readonly number[]) => spreadOf(times).median.toFixed(0)
  const ratio = ratioOf(many, few)
  return row(
    `Read of a job, ${more} rows against ${fewer}`,
    `${shown(ratio)}, ${us(many)} against ${us(few)} us`,
    ratio.median,
    atMost(1.2),
  )
}

function notes(
  load: readonly number[],
  rates: readonly [one: ClusterRates, three: ClusterRates],
  { jobs, rows, indexes, compact, costs, hot, dead }: Leavings,
  called: RecordedLife,
): string {
  const lines = (['lives', 'creates', 'reads'] as const).map((what) => [
    what,
    ...rates.flatMap((each) => [best(each[what].ours).toFixed(0), best(each[what].theirs).toFixed(0)]),
  ])
  const rawStatements = best(rates[0].lives.theirs) * statementsOfPolledLife
  const reads = called.statements.filter(({ name }) => /get|holderOfKey/.test(name)).length
  const perJob = (bytes: number) => (bytes / jobs).toFixed(0)
  return `Postgres 18, the nodes and the load share the machine, whose load average was ${load.map((each) => each.toFixed(1)).join(' before and ')} after.
Each node is a process with a pool of 10 connections. A life is a create, a submit that the provider takes on, two polls a
second apart, and the end: 5 writes and 2 reads, with a provider in the process. Raw SQL sends the very statements that one
such life has sent, prepared, with rows of the same length, from the same number of processes through pools of the same
size, and does nothing else. The nodes send the reads of one moment together, and the writes that wait. As many jobs are under way as raw SQL would
lead through the 2.1 seconds of a life, so the ratio of the lives can't be above 1. Rounds of theirs and ours take turns;
the ratio is between the upper quartiles of the rounds, in brackets that of the worst and the best round.

${table(['a second', 'one node', 'raw SQL', 'three nodes', 'raw SQL'], lines)}

${jobs.toLocaleString('en')} lives, kept, whose writes the server made itself, hundreds of jobs in turn: the table has ${perJob(rows)} bytes
a job and its indexes ${perJob(indexes)}, together ${((rows + indexes) / compact).toFixed(2)} times as much as after VACUUM FULL; the ledger has ${perJob(costs)}.
${Math.round(hot * 100)} % of the updates were HOT. Autovacuum left ${dead} dead rows.

${simulatedDay({
  // The delete comes on top of the statements that were recorded.
  called: { writes: called.statements.length - reads + 1, reads },
  bytes: (rows + indexes) / jobs,
  costBytes: costs / jobs,
  // Raw lives kept all connections of the process busy.
  statementMs: (1000 * poolSize) / rawStatements,
})} Raw SQL got ${rawStatements.toFixed(0)} statements a second out of this machine from one process, five of seven of them writes.`
}

/** Measures nodes that share one Postgres, beside raw SQL of the same statements. */
export const bench: Bench = { title: 'Nodes on Postgres', run }
