import type { Job } from '../contracts/job.ts'
import type { PluginHost } from '../contracts/plugin-host.ts'
import type { SubmitInput } from '../contracts/service-plugin.ts'
import { hasCopyLeft, isFinished } from '../job/job-state.ts'
import { lastUsed } from '../sharing/last-used.ts'

/** The most jobs whose waiting jobs this process wakes. Others find out by themselves, when they try again. */
const maxJobs = 10_000
/** How long after the next step of the awaited job the waiting one looks again, in milliseconds. */
const lookAfterMs = 2000

/** The jobs that wait for an output of another job. */
export function jobsAwaited({ clock, wake }: Pick<PluginHost, 'clock' | 'wake'>) {
  const waiting = lastUsed<Set<string>>(maxJobs)

  return {
    /** Says when a job tries again whose input refers to a job without outputs, and remembers to wake it before. */
    awaits(
      job: Job,
      { jobId, dueAt = 0 }: { readonly jobId: string; readonly dueAt: number | undefined },
    ): SubmitInput {
      const ids = waiting.get(jobId) ?? new Set<string>()
      waiting.set(jobId, ids.add(job.id))
      return { later: { why: 'input', latestAt: Math.max(dueAt, clock.now()) + lookAfterMs } }
    },

    /** Wakes the jobs that wait for this one, once it has its outputs or will have none. */
    wrote(job: Job): void {
      if (!isFinished(job) || (job.phase === 'completed' && hasCopyLeft(job))) return
      const ids = waiting.get(job.id)
      if (!ids) return
      waiting.delete(job.id)
      for (const id of ids) wake(id, clock.now())
    },
  }
}
