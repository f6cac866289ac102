import { type Bench, type BenchResult, full, type Row } from '../bench.ts'
import { table } from '../figures.ts'
import { pollsPerJob } from './called-back.ts'
import { jobLengths } from './job-lengths.ts'
import { type Economy, mean, type Policy, simulate } from './simulate.ts'

const jobs = 10_000
/**
 * Only jobs after this many count, because the policy has to learn first. A row of its own shows the first
 * jobs.
 */
const learntAfter = 200
const spread = 0.2
const policies = ['ours, learnt', 'ours, first job ever', 'every 3 s'] as const

interface Mix {
  readonly name: string
  /** Each list is one model: the typical run times of its jobs, in milliseconds. */
  readonly models: readonly (readonly number[])[]
}

export const mixes: readonly Mix[] = [
  { name: '2 s', models: [[2000]] },
  { name: '20 s', models: [[20_000]] },
  { name: '120 s', models: [[120_000]] },
  { name: 'mixed, a model of each', models: [[2000], [20_000], [120_000]] },
  { name: 'mixed, one model of all three', models: [[2000, 20_000, 120_000]] },
]

/** The polls and delays of a policy on a mix. All models of the mix have the same weight. */
export function economyOn({ models }: Mix, policy: Policy): Economy {
  const economies = models.map((typicalMs) =>
    simulate(
      policy,
      jobLengths(jobs, { typicalMs, spread }),
      policy === 'ours, first job ever' ? 0 : learntAfter,
    ),
  )
  const meanOf = (figure: keyof Economy) => mean(economies.map((economy) => economy[figure]))
  return {
    pollsPerJob: meanOf('pollsPerJob'),
    meanDelayMs: meanOf('meanDelayMs'),
    p95DelayMs: meanOf('p95DelayMs'),
  }
}

/**
 * Whether `ours` needs at most half the polls without more delay, or has at most half the delay without more
 * polls.
 */
export function isTwiceAsGood(ours: Economy, theirs: Economy): boolean {
  const { polls, delay } = ratios(ours, theirs)
  return (polls <= 0.5 && delay <= 1) || (polls <= 1 && delay <= 0.5)
}

function ratios(ours: Economy, theirs: Economy) {
  return {
    polls: ours.pollsPerJob / theirs.pollsPerJob,
    delay: ours.meanDelayMs / theirs.meanDelayMs,
  }
}

async function run(): Promise<BenchResult> {
  const rows: Row[] = []
  const lines: string[][] = []
  for (const mix of mixes) {
    const ours = economyOn(mix, 'ours, learnt')
    const fixed = economyOn(mix, 'every 3 s')
    const { polls, delay } = ratios(ours, fixed)
    rows.push({
      what: `Polls, jobs of ${mix.name}, against every 3 s`,
      figure: `${polls.toFixed(2)} x the polls at ${delay.toFixed(2)} x the delay`,
      target: 'half the polls at no more delay, or no more polls at half the delay',
      meets: isTwiceAsGood(ours, fixed),
    })
    lines.push(...policies.map((policy) => line(mix.name, policy, economyOn(mix, policy))))
  }
  for (const typicalMs of [20_000, 120_000]) rows.push(await rowOfCalledBack(typicalMs))
  return { rows, notes: notes(lines) }
}

/** How many polls are left where the vendor calls back, through a whole service. */
async function rowOfCalledBack(typicalMs: number): Promise<Row> {
  const lengths = jobLengths(full(100), { typicalMs: [typicalMs], spread })
  const calledBack = await pollsPerJob(lengths, true)
  const polled = await pollsPerJob(lengths, false)
  return {
    what: `Polls, jobs of ${typicalMs / 1000} s whose vendor calls back, against the same without callbacks`,
    figure: `${calledBack.toFixed(2)} polls per job, ${(calledBack / polled).toFixed(2)} x ${polled.toFixed(2)}`,
    target: '<= 0.25 x',
    meets: calledBack <= 0.25 * polled,
  }
}

function line(mix: string, policy: Policy, { pollsPerJob, meanDelayMs, p95DelayMs }: Economy): string[] {
  const seconds = (ms: number) => (ms / 1000).toFixed(2)
  return [mix, policy, pollsPerJob.toFixed(2), seconds(meanDelayMs), seconds(p95DelayMs)]
}

function notes(lines: readonly (readonly string[])[]): string {
  return `${table(['jobs', 'policy', 'polls per job', 'mean delay, s', 'p95, s'], lines)}

${jobs} simulated jobs of each model, log-normal with a spread of ${spread} (the standard
deviation of the logarithm), seeded, one after another, without
clients. Delay is from the provider's being done to the poll that finds it.

Every 3 s finds nearly all jobs of 2 s with its first poll: half the polls would be fewer than one a job. Of one model whose
jobs take either of three lengths, nothing tells beforehand which it will be.`
}

/** Measures how often a provider is polled, and how late a finished job is noticed. */
export const bench: Bench = { title: 'How often a vendor is polled', run }
