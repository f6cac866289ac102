import { jobLengths } from '../economy/job-lengths.ts'
import { simulate } from '../economy/simulate.ts'
import { table } from '../figures.ts'

const jobsPerDay = 10_000_000
const retentionDays = 7
/** The busiest hour has this many times the jobs of an average one. */
const peak = 3
/** How often a client asks for its job, in milliseconds, if it does not wait. */
const clientPollMs = 3000
/** Beside callbacks a job is polled this often, in milliseconds. */
const pollBesideCallbacksMs = 30_000

/** Which jobs there are: their share, and how long they typically take at the provider. Log-normal, spread 0.3. */
const mix = [
  { share: 0.6, typicalMs: 6000 },
  { share: 0.3, typicalMs: 60_000 },
  { share: 0.1, typicalMs: 180_000 },
] as const
const spread = 0.3

interface Statements {
  readonly writes: number
  readonly reads: number
}

/** What was measured of one job. */
export interface JobCosts {
  /** Statements of a life that ends with a callback, delete included. */
  readonly called: Statements
  /** What a job takes in its table, and in the ledger, in bytes, indexes included. */
  readonly bytes: number
  readonly costBytes: number
  /** How long a statement takes on its connection, in milliseconds. */
  readonly statementMs: number
}

/** What a day of 10 million jobs asks of Postgres, as Markdown: providers that are polled or call back, clients that poll or wait. */
export function simulatedDay({ called, bytes, costBytes, statementMs }: JobCosts): string {
  const polls = meanOf((typicalMs) => {
    const lengths = jobLengths(10_000, { typicalMs: [typicalMs], spread })
    return simulate('ours, learnt', lengths, 200).pollsPerJob
  })
  const rarePolls = meanOf((typicalMs) => Math.floor(typicalMs / pollBesideCallbacksMs))
  const asking = meanOf((typicalMs) => 1 + typicalMs / clientPollMs)
  // A client that waits reads when it begins, when its node looks for the first time, and at the two news of its job.
  const waiting = 4
  // A life without polls is insert, running, end and delete. A poll is a write and a read.
  const polled = { writes: 4, reads: 0 }
  const jobsPerSecond = (jobsPerDay / 86_400) * peak
  const line = (name: string, pollsPerJob: number, own: Statements, clientReads: number) => {
    const writes = jobsPerSecond * (own.writes + pollsPerJob)
    const reads = jobsPerSecond * (own.reads + pollsPerJob + clientReads)
    // Little's law.
    const busyConnections = ((writes + reads) * statementMs) / 1000
    return [name, pollsPerJob.toFixed(1), ...[writes, reads, busyConnections].map((each) => each.toFixed(0))]
  }
  const rows = jobsPerDay * retentionDays
  const gigabytes = (count: number) => (count / 1e9).toFixed(0)
  const shares = mix.map(({ share, typicalMs }) => `${share * 100} % of ${typicalMs / 1000} s`).join(', ')
  return `Ten million jobs a day, the busiest hour ${peak} times the average (${Math.round(jobsPerSecond)} jobs a
second); ${shares}, log-normal with a spread of ${spread}; polls by
our schedule once it has learnt; kept for ${retentionDays} days. Statements a job, bytes a job and milliseconds a statement are those
measured above.

${table(
  ['busiest hour', 'polls a job', 'writes a second', 'reads a second', 'busy connections'],
  [
    line('polled, clients ask every 3 s', polls, polled, asking),
    line('polled, clients wait', polls, polled, waiting),
    line('callbacks, clients ask every 3 s', rarePolls, called, asking),
    line('callbacks, clients wait', rarePolls, called, waiting),
  ],
)}

That is ${rows / 1e6} million rows: ${gigabytes(rows * bytes)} GB of jobs, indexes included, and ${gigabytes(jobsPerDay * 365 * costBytes)} GB of ledger in a year.`
}

function meanOf(figure: (typicalMs: number) => number): number {
  return mix.reduce((sum, { share, typicalMs }) => sum + share * figure(typicalMs), 0)
}
