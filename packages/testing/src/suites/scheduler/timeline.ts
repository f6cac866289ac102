import type { Scheduler } from '@genmount/core'
import type { ManualClock } from '../../clock/manual-clock.ts'

/** The time in which a case runs: that of a manual clock, or real time. */
export interface Timeline {
  now(): number
  pass(ms: number): Promise<void>
  /** Lets time pass until `at`, and then further until `isDone` is true or the allowed lateness is over. */
  until(at: number, isDone: () => boolean): Promise<void>
  /** Starts the scheduler. @returns a list to which each wake is added, with its instant */
  record(scheduler: Scheduler): readonly { readonly jobId: string; readonly at: number }[]
}

const stepMs = 20

export function timeline(clock: ManualClock | undefined, latenessMs = clock ? 0 : 5_000): Timeline {
  const now = clock?.now ?? Date.now
  const pass = clock?.advance ?? ((ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)))
  return {
    now,
    pass,
    async until(at, isDone) {
      await pass(Math.max(0, at - now()))
      while (!isDone() && now() < at + latenessMs) await pass(stepMs)
    },
    record(scheduler) {
      const wakes: { jobId: string; at: number }[] = []
      scheduler.start((jobId) => wakes.push({ jobId, at: now() }))
      return wakes
    },
  }
}
