import { best, type ClusterRates } from './cluster-rates.ts'
import type { Leavings } from './kept-lives.ts'
import { type DayCosts, dayInWords, tablesOf } from './simulate-day.ts'
import { statementsOfPolledLife } from './started-cluster.ts'

/** What the bench has measured. */
export interface ClusterFindings {
  readonly one: { readonly rates: ClusterRates }
  readonly three: { readonly rates: ClusterRates; readonly waking: readonly number[] }
  readonly leavings: Leavings
  readonly days: readonly DayCosts[]
  /** The load average of the machine before and after. */
  readonly load: readonly number[]
}

/** The details below the rows, as Markdown. */
export function clusterNotes({ one, three, leavings, days, load }: ClusterFindings): string {
  const { jobs, table, indexes, compact, costs, hot, dead } = leavings
  const tables = tablesOf({ bytes: (table + indexes) / jobs, costBytes: costs / jobs })
  return `Postgres 18, the nodes and the load share the machine, whose load average was ${load.map((each) => each.toFixed(1)).join(' before and ')} after.
Each node is a process with a pool of 10 connections. A life is a create, a submit that the provider takes on, two polls a
second apart, and the end: 5 writes and 2 reads, with a provider in the process. Raw SQL sends the very statements that one
such life has sent, prepared, with rows of the same length, from the same number of processes through pools of the same
size, and does nothing else. The nodes send the reads of one moment together. As many jobs are under way as raw SQL would
lead through the 2.1 seconds of a life, so the ratio of the lives can't be above 1. Rounds of theirs and ours take turns;
the ratio is between the upper quartiles of the rounds, in brackets that of the worst and the best round.

| a second | one node | raw SQL | three nodes | raw SQL |
|---|---:|---:|---:|---:|
${(['lives', 'creates', 'reads'] as const).map((what) => line(what, one.rates, three.rates)).join('\n')}

${jobs.toLocaleString('en')} lives, kept, whose writes the server made itself, hundreds of jobs in turn: the table has ${perJob(table, jobs)} bytes
a job and its indexes ${perJob(indexes, jobs)}, together ${((table + indexes) / compact).toFixed(2)} times as much as after VACUUM FULL; the ledger has ${perJob(costs, jobs)}.
${Math.round(hot * 100)} % of the updates were HOT. Autovacuum left ${dead} dead rows.

${dayInWords}

| busiest hour | polls a job | writes a second | reads a second | busy connections |
|---|---:|---:|---:|---:|
${days.map((day) => `| ${day.name} | ${day.pollsPerJob.toFixed(1)} | ${day.writes.toFixed(0)} | ${day.reads.toFixed(0)} | ${day.busyConnections.toFixed(0)} |`).join('\n')}

That is ${(tables.rows / 1e6).toFixed(0)} million rows: ${gigabytes(tables.jobs)} GB of jobs, indexes included, and ${gigabytes(tables.costsOfYear)} GB of ledger in a year. Raw SQL got ${(best(one.rates.lives.theirs) * statementsOfPolledLife).toFixed(0)} statements a
second out of this machine from one process, five of seven of them writes.`
}

function line(what: keyof ClusterRates, one: ClusterRates, three: ClusterRates): string {
  const cells = [one, three].flatMap((rates) => [rates[what].ours, rates[what].theirs])
  return `| ${what} | ${cells.map((rounds) => best(rounds).toFixed(0)).join(' | ')} |`
}

function perJob(bytes: number, jobs: number): string {
  return (bytes / jobs).toFixed(0)
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(0)
}
