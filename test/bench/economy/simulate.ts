import { pollSchedule } from '../../../packages/core/src/pacing/poll-schedule.ts'

/**
 * When the tasks of one model are polled: as the service does once it has learnt from earlier tasks, as it does for its
 * first task, or every 3 s as the reference client does.
 */
export type Policy = 'ours, learnt' | 'ours, first job ever' | 'every 3 s'

/** How many polls a policy takes, and how late it notices that a job has finished. */
export interface Economy {
  readonly pollsPerJob: number
  /** From the end of the task at the provider to the poll that finds it finished, in milliseconds. */
  readonly meanDelayMs: number
  readonly p95DelayMs: number
}

/** Runs jobs with these run times one after the other. Jobs before number `from`, from which the service learns, do not count. */
export function simulate(policy: Policy, lengths: readonly number[], from = 0): Economy {
  let schedule = pollSchedule([])
  const runs = lengths.map((lengthMs) => {
    if (policy === 'ours, first job ever') schedule = pollSchedule([])
    let [polls, runningMs, elapsedMs] = [0, 0, 0]
    while (elapsedMs < lengthMs) {
      runningMs = elapsedMs
      elapsedMs += policy === 'every 3 s' ? 3000 : Math.round(schedule.delayMs({ model: 'model' }, elapsedMs))
      polls++
    }
    schedule.observe({ model: 'model' }, elapsedMs, runningMs)
    return { polls, delayMs: elapsedMs - lengthMs }
  })
  const counted = runs.slice(from)
  const delays = counted.map(({ delayMs }) => delayMs)
  return {
    pollsPerJob: mean(counted.map(({ polls }) => polls)),
    meanDelayMs: mean(delays),
    p95DelayMs: delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.95)]!,
  }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
