import type { Job } from '../contracts/job.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import { hasCopyLeft, isFinished } from '../job/job-state.ts'
import { lastUsed } from '../lists/last-used.ts'
import { textsIn } from '../text/json-values.ts'
import type { InputFile, InputFiles } from './input-files.ts'
import { isJobUrl, readJobReference } from './job-reference.ts'

/** The most jobs whose waiting jobs this process wakes. Others find out by themselves, when they look again. */
const maxJobs = 10_000
/** How long after the next step of the awaited job the waiting one looks again, in milliseconds. */
const lookAfterMs = 2000

/** When a job that needs this file looks for it again. @returns `undefined` when it need not wait for the file */
export function lookAt(file: InputFile, { clock }: Pick<PluginHost, 'clock'>): number | undefined {
  if (file.state !== 'awaited') return undefined
  return Math.max(file.dueAt ?? 0, clock.now()) + lookAfterMs
}

/** The jobs that wait for outputs of other jobs. */
export function jobsAwaited(files: InputFiles, host: Pick<PluginHost, 'clock' | 'wake'>) {
  const { clock, wake } = host
  const waiting = lastUsed<Set<string>>(maxJobs)

  function remember({ id, input }: Job): readonly string[] {
    const references = textsIn(input ?? {}, isJobUrl)
    for (const reference of references) {
      const { jobId } = readJobReference(reference) ?? {}
      if (jobId !== undefined) waiting.set(jobId, (waiting.get(jobId) ?? new Set()).add(id))
    }
    return references
  }

  return {
    /** @returns when to look again; `undefined` when nothing is awaited */
    async awaitsInput(job: Job): Promise<number | undefined> {
      for (const reference of remember(job)) {
        const file = await files.find(job.owner, reference)
        const at = lookAt(file, host)
        if (at === undefined) continue
        // Nobody else may be at the job: in a worker, its timers have ended with the request that created it.
        if (file.state === 'awaited' && (file.dueAt ?? 0) <= clock.now()) wake(file.jobId, clock.now())
        return at
      }
      return undefined
    },

    /** Remembers new jobs that wait, and wakes those that wait for this job, once it has its outputs or will have none. */
    wrote(job: Job, before: Job | undefined): void {
      if (before === undefined && job.setback?.why === 'input') remember(job)
      if (!isFinished(job) || (job.phase === 'completed' && hasCopyLeft(job))) return
      const ids = waiting.get(job.id)
      if (!ids) return
      waiting.delete(job.id)
      for (const id of ids) wake(id, clock.now())
    },
  }
}
