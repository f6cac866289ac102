import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { InsertOutcome, Job, JobStore } from '@genmount/core'
import type { JobDatabase } from './job-database.ts'

type Row = Record<string, SQLOutputValue>

export function sqliteJobStore(database: JobDatabase): JobStore {
  return {
    async insert(job) {
      const { id, owner, createdAt } = job
      const key = job.idempotency?.key ?? null
      const columns = [...changingColumns(job), id, owner, key]
      return database.write((statements): InsertOutcome => {
        statements.freeExpiredKey.run(key, createdAt)
        if (statements.insert.run(...columns).changes === 1) return { outcome: 'inserted' }
        return { outcome: 'duplicate', job: jobOf(statements.holderOfKey.get(key, createdAt) as Row) }
      })
    },

    async findByIdempotencyKey(key, now) {
      return jobIn(await database.read(({ holderOfKey }) => holderOfKey.get(key, now)))
    },

    async get(id) {
      return jobIn(await database.read(({ get }) => get.get(id)))
    },

    async replace(job, expectedRevision) {
      const columns = [...changingColumns(job), job.id, expectedRevision]
      const { changes } = await database.write(({ replace }) => replace.run(...columns))
      return changes === 1 ? 'replaced' : 'stale'
    },

    async due(now, limit) {
      const rows = await database.read(({ due }) => due.all(now, now, limit))
      return rows.map(({ id }) => String(id))
    },

    async expired(now, limit) {
      const rows = await database.read(({ expired }) => expired.all(now, limit))
      return rows.map(jobOf)
    },

    async delete(id) {
      await database.write((statements) => statements.delete.run(id))
    },
  }
}

/** In the order of the statements. Taken when the caller calls, who may change the job while the write waits. */
function changingColumns(job: Job): SQLInputValue[] {
  const { phase, revision, dueAt, claimedUntil, expiresAt } = job
  // JSON escapes what SQLite's text has trouble with: NUL and lone surrogates.
  return [phase, revision, dueAt ?? null, claimedUntil ?? null, expiresAt, JSON.stringify(job)]
}

function jobIn(row: Row | undefined): Job | undefined {
  return row && jobOf(row)
}

function jobOf(row: Row): Job {
  return JSON.parse(String(row.job)) as Job
}
