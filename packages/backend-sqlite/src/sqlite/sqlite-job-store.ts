import {
  budgetRoom,
  checkInstants,
  type InsertOutcome,
  type Job,
  type JobStore,
  longestPauseMs,
  type OverBudget,
  reservedMicroUsdOf,
  type SpendingBudget,
  type SpendingSpan,
  type SpendingSums,
  storedBytesOf,
} from '@genmount/core'
import { costEntryIn } from './cost-entry-in.ts'
import { grantIn } from './grant-in.ts'
import { auditEntryIn, auditRangeIn, lastText, pageIn, pageStatements } from './operators-view.ts'
import type { JobStatements, StatementRunner } from './job-statements.ts'
import type { Parameter } from './statement.ts'
import { usageCall, usageRowIn } from './usage-rows.ts'
import { jobIn, listedJob, newJob, writtenJob } from './stored-inputs.ts'

/**
 * Keeps jobs in the tables of a SQLite database.
 * @param wrote called with each job that was written, within the transaction. @default nobody is told
 */
export function sqliteJobStore(database: StatementRunner, wrote: (job: Job) => void = () => {}): JobStore {
  return {
    async insert(job, maxUnfinished, budgets) {
      checkInstants(job)
      const { id, owner, keyId, createdAt } = job
      const key = job.idempotency?.key ?? null
      const { text, task, input } = newJob(job)
      const columns = [...changingColumns(job, text), id, owner, key, keyId ?? null]
      return database.write((statements): InsertOutcome => {
        statements.freeExpiredKey.run(key, createdAt)
        const room = budgets && roomIn(statements, budgets, job)
        const refusal =
          overLimit(statements, owner, maxUnfinished) ?? (room?.outcome === 'over_budget' ? room : undefined)
        if (!refusal && statements.insert.run(...columns).changes > 0) {
          if (task !== undefined) statements.insertTask.run(id, task)
          if (input !== undefined) statements.insertInput.run(id, input)
          wrote(job)
          return { outcome: 'inserted', ...(room && { takenMicroUsd: room.takenMicroUsd }) }
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

    async replace(job, expectedRevision, budgets) {
      checkInstants(job)
      const { text, dropsTask, dropsInput } = writtenJob(job)
      const columns = [...changingColumns(job, text), job.id, expectedRevision]
      return database.write((statements) => {
        const stored = budgets && statements.reservedOf.get(job.id, expectedRevision)
        const room = stored && roomIn(statements, budgets, job, Number(stored['reserved']))
        if (room?.outcome === 'over_budget') return room
        if (statements.replace.run(...columns).changes === 0) return 'stale'
        if (dropsTask) statements.deleteTask.run(job.id)
        if (dropsInput) statements.deleteInput.run(job.id)
        wrote(job)
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
      const { name, parameters } = usageCall(query)
      const rows = await database.read((statements) => statements[name].all(parameters))
      return rows.map((row) => usageRowIn(row, query.groupBy))
    },

    async list({ owner, from = '', before = lastText, limit, maxLength }) {
      const rows = await database.read((statements) => {
        const query = { owner, from, before, limit }
        const lengths = statements.lengths.all(query).map(({ length }) => Number(length))
        return statements.list.all({ ...query, limit: fitting(lengths, maxLength) })
      })
      return rows.map(listedJob)
    },

    async listAll(query) {
      const rows = await database.read((statements) =>
        statements[pageStatements[query.state ?? 'all']].all(pageIn(query)),
      )
      return rows.map(listedJob)
    },

    async findByTaskId(taskId, limit) {
      const rows = await database.read(({ byTask }) => byTask.all({ task: JSON.stringify(taskId), limit }))
      return rows.map(({ id }) => String(id))
    },

    async audit(entry) {
      // JSON escapes NUL and lone surrogates.
      const columns = [entry.id, entry.at, entry.job ?? null, JSON.stringify(entry)]
      await database.write(({ audit }) => audit.run(...columns))
    },

    async auditEntries(query) {
      const rows = await database.read(({ auditOfJob, auditOfAll }) =>
        (query.job === undefined ? auditOfAll : auditOfJob).all(auditRangeIn(query)),
      )
      return rows.map(auditEntryIn)
    },

    async unfinished(owner, limit) {
      const rows = await database.glance(({ unfinished }) => unfinished.all(owner, limit))
      return rows.map(({ id }) => String(id))
    },

    async spending(owner, spans) {
      return database.glance((statements) => spans.map((span) => spendingIn(statements, owner, span)))
    },

    async grant({ id, owner, usd, by, why, grantedAt }) {
      const row = await database.write((statements) => {
        statements.grant.run(id, owner, Math.round(usd * 1e6), by, why, grantedAt)
        return statements.grantOf.get(id)
      })
      return grantIn(row!)
    },

    async grants({ owner, after, limit }) {
      const range = { afterInstant: after?.grantedAt ?? -1, afterId: after?.id ?? '', limit }
      const rows = await database.read(({ grants, grantsOfAll }) =>
        owner === undefined ? grantsOfAll.all(range) : grants.all({ ...range, owner }),
      )
      return rows.map(grantIn)
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

/** What the job finds in its budgets, `over_budget` if that is not enough. @param ownMicroUsd see `budgetRoom` */
function roomIn(
  statements: JobStatements,
  budgets: readonly SpendingBudget[],
  job: Job,
  ownMicroUsd?: number,
): OverBudget | { readonly outcome: undefined; readonly takenMicroUsd: readonly number[] } {
  const sums = budgets.map((budget) => spendingIn(statements, job.owner, budget))
  const { isLeft, takenMicroUsd } = budgetRoom(budgets, sums, job, ownMicroUsd)
  return { outcome: isLeft ? undefined : 'over_budget', takenMicroUsd }
}

/** What an owner has spent and reserved. */
function spendingIn({ spending }: JobStatements, owner: string, span: SpendingSpan): SpendingSums {
  const { from, costsFrom, keyId = null, hasGrants } = span
  const row = spending.get({ owner, from, costsFrom, keyId, hasGrants: hasGrants ? 1 : 0 })
  const { spent, reserved, granted } = row ?? {}
  return {
    spentMicroUsd: Number(spent ?? 0),
    reservedMicroUsd: Number(reserved ?? 0),
    grantedMicroUsd: Number(granted ?? 0),
  }
}

/** How many of these lengths fit into `maxLength` together; at least 1. */
function fitting(lengths: readonly number[], maxLength: number): number {
  let together = 0
  const beyond = lengths.findIndex((length, index) => (together += length) > maxLength && index > 0)
  return beyond < 0 ? lengths.length : beyond
}

/**
 * The values of the columns `changing`. They are read at once, because the caller may change the job object while the write
 * waits.
 * @param text the JSON for the column `job`
 */
export function changingColumns(job: Job, text: string): Parameter[] {
  const { phase, revision, dueAt, claim, expiresAt, deleteAt } = job
  const instants = [dueAt ?? null, claim?.until ?? null, expiresAt, deleteAt ?? null]
  const bytes = storedBytesOf(job) || null
  const reserved = reservedMicroUsdOf(job) || null
  // JSON escapes NUL and lone surrogates, which SQLite can't keep in its text.
  return [phase, revision, ...instants, bytes, reserved, text]
}
