import { pollSchedule } from '../../../packages/core/src/pacing/poll-schedule.ts'

/** Decides when the tasks of one model are polled. */
export interface PollPolicy {
  /** How many milliseconds to wait for the next poll of a task that has run for `elapsedMs`. */
  delayMs(elapsedMs: number): number
  /** Called for each finished task: it still ran after `runningMs`, and was found finished after `foundMs`. */
  observe?(foundMs: number, runningMs: number): void
}

/** The policy of the service, for a model about which nothing is known yet. */
export function ourPolicy(): PollPolicy {
  const schedule = pollSchedule([])
  return {
    delayMs: (elapsedMs) => schedule.delayMs('model', elapsedMs),
    observe: (foundMs, runningMs) => schedule.observe('model', foundMs, runningMs),
  }
}

/** The fixed pause of the reference client, after the submit and between two polls. */
export function fixedPolicy(): PollPolicy {
  return { delayMs: () => 3000 }
}

/** How many polls a policy takes, and how late it notices that a job has finished. */
export interface Economy {
  readonly pollsPerJob: number
  /** From the end of the task at the provider to the poll that finds it finished, in milliseconds. */
  readonly meanDelayMs: number
  readonly p95DelayMs: number
}

/**
 * Runs jobs with these run times one after the other under one policy, which may learn. Jobs before number
 * `from` do not count.
 */
export function simulate(policy: PollPolicy, lengths: readonly number[], from = 0): Economy {
  const runs = lengths.map((lengthMs) => runJob(policy, lengthMs)).slice(from)
  return economyOf(runs)
}

/** Runs each job under a new policy, which has learnt nothing yet. */
export function simulateCold(policy: () => PollPolicy, lengths: readonly number[]): Economy {
  return economyOf(lengths.map((lengthMs) => runJob(policy(), lengthMs)))
}

interface Run {
  readonly polls: number
  readonly delayMs: number
}

function runJob(policy: PollPolicy, lengthMs: number): Run {
  let polls = 0
  let runningMs = 0
  let elapsedMs = 0
  while (elapsedMs < lengthMs) {
    runningMs = elapsedMs
    elapsedMs += Math.round(policy.delayMs(elapsedMs))
    polls++
  }
  policy.observe?.(elapsedMs, runningMs)
  return { polls, delayMs: elapsedMs - lengthMs }
}

function economyOf(runs: readonly Run[]): Economy {
  const delays = runs.map((run) => run.delayMs).toSorted((a, b) => a - b)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    pollsPerJob: mean(runs.map((run) => run.polls)),
    meanDelayMs: mean(delays),
    p95DelayMs: delays[Math.floor(delays.length * 0.95)]!,
  }
}
