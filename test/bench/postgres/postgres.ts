import type { Bench, BenchResult, Row } from '../bench.ts'
import { atLeast, atMost, row, table } from '../figures.ts'
import { type LifeCost, lifeCosts, perSecond, type QueueName } from './lives.ts'

const labels: Readonly<Record<QueueName, string>> = {
  genmount: 'genmount on Postgres',
  'pg-boss': 'pg-boss on Postgres',
  'graphile-worker': 'graphile-worker on Postgres',
  bullmq: 'BullMQ on Redis',
}

const what = `Each is a process with at most 10 connections, in which ${perSecond} jobs a second are created with an input of 300
bytes, beside its store on the same machine. In a life the job is created, its task is submitted, polled once a second later,
and ends; the provider is in the process and takes no time. In genmount the task is stored, so that another process polls it
when this one dies, the provider is called once, and the job stays readable for its owner with its entry in the ledger. In the
others a handler submits, waits and polls, and does all of it again after a death. Redis has its data in memory and logs
nothing. A life takes fewer statements in genmount the more jobs there are, because writes that wait go as one statement.`

function livesPerCpuSecond({ processUs, storeUs }: LifeCost): number {
  return 1e6 / (processUs + storeUs)
}

function lineOf(name: QueueName, cost: LifeCost): readonly string[] {
  const { statements, logBytes, processUs, storeUs, createMs } = cost
  return [
    labels[name],
    livesPerCpuSecond(cost).toFixed(0),
    (1e6 / processUs).toFixed(0),
    processUs.toFixed(0),
    storeUs.toFixed(0),
    statements.toFixed(1),
    logBytes === undefined ? '' : (logBytes / 1000).toFixed(1),
    createMs.p50.toFixed(1),
    createMs.p99.toFixed(1),
  ]
}

function rowsOf(costs: ReadonlyMap<QueueName, LifeCost>): readonly Row[] {
  const ours = costs.get('genmount')!
  const perCpuSecond = 1e6 / ours.processUs
  return [
    row('Jobs in a CPU second of the process', perCpuSecond.toFixed(0), perCpuSecond, atLeast(350)),
    row('Statements of a life', ours.statements.toFixed(2), ours.statements, atMost(3)),
    row('Log of a life', `${ours.logBytes!.toFixed(0)} bytes`, ours.logBytes, atMost(4000, '4 kB')),
  ]
}

async function run(): Promise<BenchResult> {
  const costs = await lifeCosts()
  const heads = [
    "a job's life",
    'jobs a CPU second, process and store',
    'of the process alone',
    'CPU of the process, us',
    'of the store, us',
    'statements or commands',
    'log, kB',
    'create, ms: p50',
    'p99',
  ]
  const lines = [...costs].map(([name, cost]) => lineOf(name, cost))
  return { rows: rowsOf(costs), notes: `${table(heads, lines)}\n\n${what}` }
}

/** Measures what the life of a job costs on Postgres, beside queues that people would build on. */
export const bench: Bench = { title: "A job's life on Postgres, beside queues", run }
