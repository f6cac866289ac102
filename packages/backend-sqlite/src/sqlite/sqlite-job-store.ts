import type { SQLInputValue } from 'node:sqlite'
import {
  checkInstants,
  type InsertOutcome,
  type Job,
  type JobStore,
  longestPauseMs,
  reservedMicroUsdOf,
  type SpendingBudget,
  type SpendingSpan,
  type SpendingSums,
  storedBytesOf,
} from '@genmount/core'
import { costEntryIn } from './cost-entry-in.ts'
import type { JobDatabase } from './job-database.ts'
import type { JobStatements } from './job-statements.ts'
import { usageParameters, usageRowIn } from './usage-rows.ts'
import { jobIn, listedJob, newJob, writtenJob } from './stored-inputs.ts'

export function sqliteJobStore(database: JobDatabase): JobStore {
  return {
    async insert(job, maxUnfinished, budget) {
      checkInstants(job)
      const { id, owner, createdAt } = job
      const key = job.idempotency?.key ?? null
      const { text, write } = newJob(job)
      const columns = [...changingColumns(job, text), id, owner, key]
      const reserved = reservedMicroUsdOf(job)
      return database.write((statements): InsertOutcome => {
        statements.freeExpiredKey.run(key, createdAt)
        const refusal =
          overLimit(statements, owner, maxUnfinished) ?? overBudget(statements, owner, reserved, budget)
        if (!refusal && statements.insert.run(...columns).changes > 0) {
          write(statements)
          return { outcome: 'inserted' }
        }
        const holder = statements.holderOfKey.get(0, 0, key, createdAt)
        return holder ? { outcome: 'duplicate', job: jobIn(holder) } : refusal!
      })
    },

    async findByIdempotencyKey(key, now) {
      const row = await database.read(({ holderOfKey }) => holderOfKey.get(0, 0, key, now))
      return row && jobIn(row)
    },

    async get(id, owner, inputs) {
      const inMemory = [inputs?.input, inputs?.shownInput].map((part) => (part ? 1 : 0))
      const row = await database.read(({ get }) => get.get(...inMemory, id, owner ?? null))
      return row && jobIn(row, inputs)
    },

    async replace(job, expectedRevision) {
      checkInstants(job)
      const { text, write } = writtenJob(job)
      const columns = [...changingColumns(job, text), job.id, expectedRevision]
      return database.write((statements) => {
        if (statements.replace.run(...columns).changes === 0) return 'stale'
        write(statements)
        return 'replaced'
      })
    },

    async due(now, limit, skip = 0) {
      const farAhead = now + longestPauseMs
      const rows = await database.glance(({ due }) => due.all({ now, farAhead, limit, skip }))
      return rows.map(({ id }) => String(id))
    },

    async expired(now, limit) {
      const rows = await database.read(({ expired }) => expired.all(0, 0, now, limit))
      return rows.map((row) => jobIn(row))
    },

    async dailyUsage(query) {
      const { owner, groupBy } = query
      const parameters = usageParameters(query)
      const rows = await database.read(({ usage, usageOfAll }) =>
        owner === undefined ? usageOfAll.all(parameters) : usage.all({ ...parameters, owner }),
      )
      return rows.map((row) => usageRowIn(row, groupBy))
    },

    async list({ owner, from = '', before = lastText, limit, maxLength }) {
      const rows = await database.read((statements) => {
        const query = { owner, from, before, limit }
        const lengths = statements.lengths.all(query).map(({ length }) => Number(length))
        return statements.list.all({ ...query, limit: fitting(lengths, maxLength) })
      })
      return rows.map(listedJob)
    },

    async unfinished(owner, limit) {
      const rows = await database.glance(({ unfinished }) => unfinished.all(owner, limit))
      return rows.map(({ id }) => String(id))
    },

    async spending(owner, span) {
      return database.glance((statements) => spendingIn(statements, owner, span))
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

    async delete(id, expectedRevision) {
      await database.write((statements) => {
        const { changes } = statements.delete.run(id, expectedRevision ?? null)
        if (changes > 0) statements.deleteTask.run(id)
      })
    },

    async costs({ owner, from, to, after, limit }) {
      // SQLite searches by `from` alone. So a later page begins there, or SQLite would go through all earlier pages.
      const start = Math.max(from, after?.endedAt ?? from)
      const range = { from: start, to, limit, afterEnd: after?.endedAt ?? from, afterJob: after?.job ?? '' }
      const rows = await database.read(({ costs, costsOfAll }) =>
        owner === undefined ? costsOfAll.all(range) : costs.all({ ...range, owner }),
      )
      return rows.map(costEntryIn)
    },
  }
}

function overLimit(
  { unfinished }: JobStatements,
  owner: string,
  maxUnfinished: number | undefined,
): InsertOutcome | undefined {
  const isOver = maxUnfinished !== undefined && unfinished.all(owner, maxUnfinished).length >= maxUnfinished
  return isOver ? { outcome: 'over_limit' } : undefined
}

/** @param microUsd what the new job reserves */
function overBudget(
  statements: JobStatements,
  owner: string,
  microUsd: number,
  budget: SpendingBudget | undefined,
): InsertOutcome | undefined {
  if (!budget) return undefined
  const { spentMicroUsd, reservedMicroUsd } = spendingIn(statements, owner, budget)
  const takenMicroUsd = spentMicroUsd + reservedMicroUsd
  return takenMicroUsd + microUsd > budget.mostMicroUsd
    ? { outcome: 'over_budget', takenMicroUsd }
    : undefined
}

/** What an owner has spent and reserved. */
function spendingIn(
  { spending }: JobStatements,
  owner: string,
  { from, costsFrom }: SpendingSpan,
): SpendingSums {
  const { spent, reserved } = spending.get({ owner, from, costsFrom }) ?? {}
  return { spentMicroUsd: Number(spent ?? 0), reservedMicroUsd: Number(reserved ?? 0) }
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
 * @param text the JSON for the column `job`
 */
function changingColumns(job: Job, text: string): SQLInputValue[] {
  const { phase, revision, dueAt, claim, expiresAt, deleteAt } = job
  const instants = [dueAt ?? null, claim?.until ?? null, expiresAt, deleteAt ?? null]
  const bytes = storedBytesOf(job) || null
  const reserved = reservedMicroUsdOf(job) || null
  // JSON escapes NUL and lone surrogates, which SQLite can't keep in its text.
  return [phase, revision, ...instants, bytes, reserved, text]
}
