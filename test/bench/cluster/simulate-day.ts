import { jobLengths } from '../economy/job-lengths.ts'
import { ourPolicy } from '../economy/poll-policy.ts'
import { simulate } from '../economy/simulate.ts'

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

/** What was measured of one job. */
export interface JobCosts {
  /** Statements of a life without polls: insert, running, end, delete. */
  readonly base: { readonly writes: number; readonly reads: number }
  /** Statements of each poll. */
  readonly perPoll: { readonly writes: number; readonly reads: number }
  /** Statements of a life that ends with a callback, delete included. */
  readonly called: { readonly writes: number; readonly reads: number }
  /** What a job takes in its table, and in the ledger, in bytes, indexes included. */
  readonly bytes: number
  readonly costBytes: number
  /** How long a statement takes on its connection, in milliseconds. */
  readonly statementMs: number
}

/** What a day of 10 million jobs asks of Postgres. */
export interface DayCosts {
  readonly name: string
  readonly pollsPerJob: number
  /** In a second of the busiest hour. */
  readonly writes: number
  readonly reads: number
  /** How many connections are busy on average in the busiest hour (Little's law). */
  readonly busyConnections: number
}

/** The days: providers that are polled or call back, clients that poll or wait. */
export function simulateDays(costs: JobCosts): readonly DayCosts[] {
  const polls = mean((typicalMs) => {
    const lengths = jobLengths(10_000, { typicalMs: [typicalMs], spread })
    return simulate(ourPolicy(), lengths, 200).pollsPerJob
  })
  const rarePolls = mean((typicalMs) => Math.floor(typicalMs / pollBesideCallbacksMs))
  const clientReads = mean((typicalMs) => 1 + typicalMs / clientPollMs)
  const perSecond = (jobsPerDay / 86_400) * peak
  const day = (name: string, pollsPerJob: number, own: JobCosts['base'], clients: number): DayCosts => {
    const writes = perSecond * (own.writes + pollsPerJob * costs.perPoll.writes)
    const reads = perSecond * (own.reads + pollsPerJob * costs.perPoll.reads + clients)
    return {
      name,
      pollsPerJob,
      writes,
      reads,
      busyConnections: ((writes + reads) * costs.statementMs) / 1000,
    }
  }
  // A client that waits reads when it begins, when its node looks for the first time, and at the two news of its job.
  const waiting = 4
  return [
    day('polled, clients ask every 3 s', polls, costs.base, clientReads),
    day('polled, clients wait', polls, costs.base, waiting),
    day('callbacks, clients ask every 3 s', rarePolls, costs.called, clientReads),
    day('callbacks, clients wait', rarePolls, costs.called, waiting),
  ]
}

/** The tables after as many days as jobs are kept, and the ledger after a year, in bytes. */
export function tablesOf({ bytes, costBytes }: Pick<JobCosts, 'bytes' | 'costBytes'>) {
  return {
    rows: jobsPerDay * retentionDays,
    jobs: jobsPerDay * retentionDays * bytes,
    costsOfYear: jobsPerDay * 365 * costBytes,
  }
}

function mean(figure: (typicalMs: number) => number): number {
  return mix.reduce((sum, { share, typicalMs }) => sum + share * figure(typicalMs), 0)
}

/** The assumptions, in words. */
export const dayInWords = `Ten million jobs a day, the busiest hour ${peak} times the average (${Math.round((jobsPerDay / 86_400) * peak)} jobs a
second); ${mix.map(({ share, typicalMs }) => `${share * 100} % of ${typicalMs / 1000} s`).join(', ')}, log-normal with a spread of ${spread}; polls by
our schedule once it has learnt; kept for ${retentionDays} days. Statements a job, bytes a job and milliseconds a statement are those
measured above.`
