import { checkInstants, type Job, type JobStore, longestPauseMs } from '@genmount/core'

export type Records = Map<string, string>

export const isFinished = ({ phase }: Job) => phase === 'completed' || phase === 'failed'
export const deletionOf = ({ deleteAt, expiresAt }: Job) => deleteAt ?? expiresAt
export const parse = (record: string): Job => JSON.parse(record) as Job

const hasCome = (at: number, now: number) => at <= now || at > now + longestPauseMs
export const isDue = ({ dueAt, claim }: Job, now: number) =>
  dueAt !== undefined && hasCome(dueAt, now) && hasCome(claim?.until ?? 0, now)

/**
 * The simplest store that fulfils the contract: it keeps each job as JSON, and queries read all jobs. Jobs are looked up
 * by their ids, because the cases of the suite do that often.
 */
export function referenceStore(records: Records = new Map(), maxJobs = Infinity): JobStore {
  const jobs = () => [...records.values()].map(parse)
  let tellForgotten = (_job: Job) => {}
  const find = (id: string) => {
    const record = records.get(id)
    return record === undefined ? undefined : parse(record)
  }
  const holderOf = (key: string | undefined, now: number) =>
    key === undefined
      ? undefined
      : jobs().findLast((job) => job.idempotency?.key === key && now < job.expiresAt)
  return {
    async insert(job) {
      checkInstants(job)
      const holder = holderOf(job.idempotency?.key, job.createdAt)
      if (holder) return { outcome: 'duplicate', job: holder }
      if (records.size >= maxJobs) {
        const old = jobs().find(isFinished)
        if (!old) return { outcome: 'full' }
        records.delete(old.id)
        tellForgotten(old)
      }
      records.set(job.id, JSON.stringify(job))
      return { outcome: 'inserted' }
    },
    findByIdempotencyKey: async (key, now) => holderOf(key, now),
    get: async (id) => find(id),
    async replace(job, expectedRevision) {
      checkInstants(job)
      if (find(job.id)?.revision !== expectedRevision) return 'stale'
      records.set(job.id, JSON.stringify(job))
      return 'replaced'
    },
    due: async (now, limit, skip = 0) =>
      jobs()
        .filter((job) => isDue(job, now))
        .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
        .slice(skip, skip + limit)
        .map(({ id }) => id),
    expired: async (now, limit) =>
      jobs()
        .filter((job) => isFinished(job) && deletionOf(job) <= now)
        .slice(0, limit),
    async delete(id, expectedRevision) {
      if (expectedRevision === undefined || find(id)?.revision === expectedRevision) records.delete(id)
    },
    onForgotten: (run) => void (tellForgotten = run),
  }
}
