import type { AuditEntry, Job, JobStore } from '@genmount/core'
import { isFinished, taskIdOf } from '@genmount/core'

/** Adds what operators need to a job store in memory that has none of it. */
export function listingStore(jobs: JobStore): JobStore {
  if (jobs.listAll) return jobs
  const stored = new Map<string, Job>()
  const log = new Map<string, AuditEntry>()
  return {
    ...jobs,
    async insert(job, ...rest) {
      const inserted = await jobs.insert(job, ...rest)
      if (inserted.outcome === 'inserted') stored.set(job.id, job)
      return inserted
    },
    async replace(job, ...rest) {
      const replaced = await jobs.replace(job, ...rest)
      if (replaced === 'replaced') stored.set(job.id, job)
      return replaced
    },
    async delete(id, ...rest) {
      await jobs.delete(id, ...rest)
      if (!(await jobs.get(id))) stored.delete(id)
    },
    async listAll({ state, before, limit }) {
      const isIn = (job: Job) => {
        if (state === 'unfinished') return !isFinished(job)
        if (state === 'owing') return isFinished(job) && job.dueAt !== undefined
        return state === undefined || job.phase === state
      }
      const all = [...stored.values()].filter((job) => isIn(job) && (before === undefined || job.id < before))
      return all.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit)
    },
    async findByTaskId(taskId, limit) {
      const all = [...stored.values()].filter((job) => taskIdOf(job) === taskId)
      return all.slice(0, limit).map(({ id }) => id)
    },
    async audit(entry) {
      log.set(entry.id, entry)
    },
    async auditEntries({ job, after, limit }) {
      const place = ({ at, id }: Pick<AuditEntry, 'at' | 'id'>) => `${String(at).padStart(15, '0')} ${id}`
      const all = [...log.values()].filter(
        (entry) => (job === undefined || entry.job === job) && (!after || place(entry) < place(after)),
      )
      return all.toSorted((one, other) => (place(one) < place(other) ? 1 : -1)).slice(0, limit)
    },
  }
}
