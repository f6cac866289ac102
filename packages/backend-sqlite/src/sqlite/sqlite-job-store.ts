import type { SQLInputValue } from 'node:sqlite'
import {
  checkInstants,
  type Job,
  type JobStore,
  type JsonObject,
  longestPauseMs,
  storedBytesOf,
} from '@genmount/core'
import { costEntryIn } from './cost-entry-in.ts'
import type { JobDatabase } from './job-database.ts'
import { separateParts } from './separate-parts.ts'

export function sqliteJobStore(database: JobDatabase): JobStore {
  const parts = separateParts()

  return {
    async insert(job, maxUnfinished) {
      checkInstants(job)
      const { id, owner, createdAt } = job
      const key = job.idempotency?.key ?? null
      const { rest, write } = parts.separate(job)
      const columns = [...changingColumns(rest), id, owner, key]
      const { holder, keep } = await database.write((statements) => {
        statements.freeExpiredKey.run(key, createdAt)
        const isOverLimit =
          maxUnfinished !== undefined &&
          statements.unfinished.all(owner, maxUnfinished).length >= maxUnfinished
        if (!isOverLimit && statements.insert.run(...columns).changes === 1)
          return { keep: write(statements) }
        return { holder: statements.holderOfKey.get(null, null, key, createdAt) }
      })
      keep?.()
      if (holder) return { outcome: 'duplicate', job: parts.join(holder) }
      return { outcome: keep ? 'inserted' : 'over_limit' }
    },

    async findByIdempotencyKey(key, now) {
      const row = await database.read(({ holderOfKey }) => holderOfKey.get(null, null, key, now))
      return row && parts.join(row)
    },

    async get(id, owner) {
      const known = parts.known(id)
      const row = await database.read(({ get }) => get.get(...known.rows, id, owner ?? null))
      return row && parts.join(row, known.parts)
    },

    async replace(job, expectedRevision) {
      checkInstants(job)
      const { rest, write } = parts.separate(job)
      const columns = [...changingColumns(rest), job.id, expectedRevision]
      const keep = await database.write((statements) =>
        statements.replace.run(...columns).changes === 1 ? write(statements) : undefined,
      )
      keep?.()
      return keep ? 'replaced' : 'stale'
    },

    async due(now, limit, skip = 0) {
      const farAhead = now + longestPauseMs
      const rows = await database.glance(({ due }) => due.all({ now, farAhead, limit, skip }))
      return rows.map(({ id }) => String(id))
    },

    async expired(now, limit) {
      const rows = await database.read(({ expired }) => expired.all(null, null, now, limit))
      return rows.map((row) => parts.join(row))
    },

    async list({ owner, from = '', before = lastText, limit, maxLength }) {
      const rows = await database.read((statements) => {
        const query = { owner, from, before, limit }
        const lengths = statements.lengths.all(query).map(({ length }) => Number(length))
        return statements.list.all({ ...query, limit: fitting(lengths, maxLength) })
      })
      return rows.map(({ job, input }) => {
        const listed = JSON.parse(String(job)) as Job
        return input === null ? listed : { ...listed, input: JSON.parse(String(input)) as JsonObject }
      })
    },

    async unfinished(owner, limit) {
      const rows = await database.glance(({ unfinished }) => unfinished.all(owner, limit))
      return rows.map(({ id }) => String(id))
    },

    async storedBytes(owner, now) {
      const sum = await database.glance(({ storedBytes }) => storedBytes.get({ owner, now }))
      return Number(sum?.['bytes'] ?? 0)
    },

    async noteUpload({ key, owner, bytes, expiresAt, notedAt }) {
      await database.write((statements) => {
        statements.forgetExpiredUploads.run(notedAt)
        if (bytes > 0) statements.noteUpload.run(key, owner, bytes, expiresAt)
        else statements.forgetUpload.run(key)
      })
    },

    async delete(id) {
      await database.write((statements) => {
        statements.delete.run(id)
        statements.deleteTask.run(id)
      })
      parts.forget(id)
    },

    async costs({ owner, from, to, after, limit }) {
      const range = { from, to, limit, afterEnd: after?.endedAt ?? from, afterJob: after?.job ?? '' }
      const rows = await database.read(({ costs, costsOfAll }) =>
        owner === undefined ? costsOfAll.all(range) : costs.all({ ...range, owner }),
      )
      return rows.map(costEntryIn)
    },
  }
}

/** A text that comes after every id. */
const lastText = '\u{10ffff}'

/** How many of these lengths fit into `maxLength` together; at least 1. */
function fitting(lengths: readonly number[], maxLength: number): number {
  let together = 0
  const beyond = lengths.findIndex((length, index) => (together += length) > maxLength && index > 0)
  return beyond < 0 ? lengths.length : beyond
}

/**
 * The values for the first columns of `insert` and `replace`, in the order of these statements. They are read at once,
 * because the caller may change the job object while the write waits.
 */
function changingColumns(job: Omit<Job, 'task'>): SQLInputValue[] {
  const { phase, revision, dueAt, claimedUntil, expiresAt, deleteAt } = job
  const instants = [dueAt ?? null, claimedUntil ?? null, expiresAt, deleteAt ?? null]
  const bytes = storedBytesOf(job) || null
  // JSON escapes NUL and lone surrogates, which SQLite can't keep in its text.
  return [phase, revision, ...instants, bytes, JSON.stringify(job)]
}
