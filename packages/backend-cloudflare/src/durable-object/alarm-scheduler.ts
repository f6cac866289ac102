import type { Scheduler } from '@genmount/core'
import type { ObjectAlarm } from './object-alarm.ts'

/** Wakes jobs when the alarm of the object comes. It sets no timer, because a timer would keep the object in memory. */
export interface AlarmScheduler extends Scheduler {
  /** Wakes the jobs whose time has come. */
  wakeDue(): void
  /** Forgets when to wake the job. */
  forget(jobId: string): void
  /** The earliest instant at which a job is to be woken. `Infinity` when there is none, and before the start. */
  next(): number
}

/** @param started called when the service starts */
export function alarmScheduler(alarm: ObjectAlarm, started: () => void): AlarmScheduler {
  const instants = new Map<string, number>()
  let wake: ((jobId: string) => void) | undefined
  let isStopped = false

  const next = () => (wake ? Math.min(...instants.values()) : Number.POSITIVE_INFINITY)

  return {
    start(run) {
      wake = run
      if (instants.size > 0) alarm.by(next())
      started()
    },
    wakeAt(jobId, at) {
      if (isStopped) return
      instants.set(jobId, at)
      if (wake) alarm.by(at)
    },
    async stop() {
      isStopped = true
      instants.clear()
    },
    wakeDue() {
      if (!wake) return
      const now = Date.now()
      const due = [...instants].filter(([, at]) => at <= now)
      for (const [jobId, at] of due) {
        // A wake may have stopped the scheduler, or changed the instant of another job.
        if (instants.get(jobId) !== at) continue
        instants.delete(jobId)
        wake(jobId)
      }
    },
    forget: (jobId) => void instants.delete(jobId),
    next,
  }
}
