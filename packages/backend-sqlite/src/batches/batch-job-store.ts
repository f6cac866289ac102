import {
  budgetRoom,
  checkInstants,
  type Job,
  type JobStore,
  longestPauseMs,
  type SpendingSpan,
  type SpendingSums,
} from '@genmount/core'
import { costEntryIn } from '../sqlite/cost-entry-in.ts'
import { grantIn } from '../sqlite/grant-in.ts'
import { changing } from '../sqlite/job-columns.ts'
import { numberIn } from '../sqlite/number-in.ts'
import { auditEntryIn, auditRangeIn, lastText, pageIn, pageStatements } from '../sqlite/operators-view.ts'
import { changingColumns } from '../sqlite/sqlite-job-store.ts'
import type { Parameter, Row } from '../sqlite/statement.ts'
import { jobIn, listedJob, newJob, writtenJob } from '../sqlite/stored-inputs.ts'
import { usageCall, usageRowIn } from '../sqlite/usage-rows.ts'
import type { BatchDatabase } from './batch-database.ts'

/**
 * A job store in a database that takes batches of statements. Each call is one batch: nothing comes between what it checks and
 * what it writes, and a call whose answer was lost has written all or nothing.
 */
export function batchJobStore({ ask, rowsOf }: BatchDatabase): JobStore {
  return {
    async insert(job, most, budgets) {
      checkInstants(job)
      const key = job.idempotency?.key
      const { text, task, input } = newJob(job)
      const { spending, countUnfinished, insert, holderOfKey } = await ask(
        [
          key !== undefined && 'freeExpiredKey',
          most !== undefined && 'countUnfinished',
          budgets && 'spending',
          'insert',
          task !== undefined && 'insertTask',
          input !== undefined && 'insertInput',
          key !== undefined && 'holderOfKey',
        ],
        {
          ...columnsOf(job, text),
          owner: job.owner,
          idempotency_key: key,
          key_id: job.keyId,
          now: job.createdAt,
          most,
          spans: spansIn(budgets),
          task,
          input,
        },
      )
      const { takenMicroUsd, isLeft } = budgetRoom(budgets ?? [], sumsIn(spending, budgets), job)
      if (insert.length > 0) return { outcome: 'inserted', ...(budgets && { takenMicroUsd }) }
      const [holder] = holderOfKey
      if (holder) return { outcome: 'duplicate', job: jobIn(holder) }
      if (most !== undefined && numberIn(countUnfinished[0], 'jobs') >= most) return { outcome: 'over_limit' }
      if (!isLeft) return { outcome: 'over_budget', takenMicroUsd }
      throw new Error('The database has not stored the job, and no limit refuses it')
    },

    async findByIdempotencyKey(key, now) {
      const [row] = await rowsOf('holderOfKey', { idempotency_key: key, now })
      return row && jobIn(row)
    },

    async get(id, owner, inputs) {
      const hasTask = inputs?.input ? 1 : 0
      const hasInput = inputs?.shownInput ? 1 : 0
      const [row] = await rowsOf('get', { id, owner, hasTask, hasInput })
      return row && jobIn(row, inputs)
    },

    async replace(job, expected, budgets) {
      checkInstants(job)
      const { text, dropsTask, dropsInput } = writtenJob(job)
      const { reservedOf, spending, replace } = await ask(
        [
          budgets && 'reservedOf',
          budgets && 'spending',
          dropsTask && 'deleteTask',
          dropsInput && 'deleteInput',
          'replace',
        ],
        { ...columnsOf(job, text), owner: job.owner, expected, spans: spansIn(budgets) },
      )
      if (replace.length > 0) return 'replaced'
      const [stored] = reservedOf
      if (!stored) return 'stale'
      const { takenMicroUsd } = budgetRoom(
        budgets ?? [],
        sumsIn(spending, budgets),
        job,
        numberIn(stored, 'own'),
      )
      return { outcome: 'over_budget', takenMicroUsd }
    },

    async due(now, limit, skip = 0) {
      const rows = await rowsOf('due', { now, farAhead: now + longestPauseMs, limit, skip })
      return rows.map(({ id }) => String(id))
    },

    async expired(now, limit) {
      const rows = await rowsOf('expired', { now, limit })
      return rows.map((row) => jobIn(row))
    },

    async dailyUsage(query) {
      const { name, parameters } = usageCall(query)
      const rows = await rowsOf(name, parameters)
      return rows.map((row) => usageRowIn(row, query.groupBy))
    },

    async list({ owner, from = '', before = lastText, limit, maxLength }) {
      const rows = await rowsOf('list', { owner, from, before, limit, maxLength })
      return rows.map(listedJob)
    },

    async listAll(query) {
      const rows = await rowsOf(pageStatements[query.state ?? 'all'], pageIn(query))
      return rows.map(listedJob)
    },

    async findByTaskId(taskId, limit) {
      const rows = await rowsOf('byTask', { task: JSON.stringify(taskId), limit })
      return rows.map(({ id }) => String(id))
    },

    async audit(entry) {
      const { id, at, job } = entry
      await ask(['audit'], { id, at, job, entry: JSON.stringify(entry) })
    },

    async auditEntries(query) {
      const rows = await rowsOf(query.job === undefined ? 'auditOfAll' : 'auditOfJob', auditRangeIn(query))
      return rows.map(auditEntryIn)
    },

    async unfinished(owner, limit) {
      const rows = await rowsOf('unfinished', { owner, limit })
      return rows.map(({ id }) => String(id))
    },

    async spending(owner, spans) {
      const rows = await rowsOf('spending', { owner, spans: spansIn(spans) })
      return sumsIn(rows, spans)
    },

    async grant({ usd, ...grant }) {
      const { grantOf } = await ask(['grant', 'grantOf'], { ...grant, microUsd: Math.round(usd * 1e6) })
      return grantIn(grantOf[0]!)
    },

    async grants({ owner, after, limit }) {
      const range = { afterInstant: after?.grantedAt ?? -1, afterId: after?.id ?? '', limit }
      const rows = await rowsOf(owner === undefined ? 'grantsOfAll' : 'grants', { ...range, owner })
      return rows.map(grantIn)
    },

    async storedBytes(owner, now) {
      const [sum] = await rowsOf('storedBytes', { owner, now })
      return numberIn(sum, 'bytes')
    },

    async noteUpload({ notedAt, ...note }) {
      const write = note.bytes > 0 ? 'noteUpload' : 'forgetUpload'
      await ask(['forgetExpiredUploads', write], { ...note, now: notedAt })
    },

    async delete(id, expected) {
      await ask(['deleteTask', 'delete'], { id, expected })
    },

    async costs({ owner, from, to, after, limit }) {
      // SQLite searches by `from` alone. So a later page begins there, or SQLite would go through all earlier pages.
      const start = Math.max(from, after?.endedAt ?? from)
      const range = { from: start, to, limit, afterEnd: after?.endedAt ?? from, afterJob: after?.job ?? '' }
      const rows = await rowsOf(owner === undefined ? 'costsOfAll' : 'costs', { ...range, owner })
      return rows.map(costEntryIn)
    },
  }
}

/** The values of what each write sets, by the names of the columns. @param text the JSON for the column `job` */
function columnsOf(job: Job, text: string): Record<string, Parameter> {
  const values = changingColumns(job, text)
  return Object.fromEntries([...changing.map((column, at) => [column, values[at]]), ['id', job.id]])
}

function spansIn(spans: readonly SpendingSpan[] = []): string {
  return JSON.stringify(spans)
}

/** The sums of each span. */
function sumsIn(rows: readonly Row[], spans: readonly SpendingSpan[] = []): SpendingSums[] {
  return spans.map((_, at) => ({
    spentMicroUsd: numberIn(rows[at], 'spent'),
    reservedMicroUsd: numberIn(rows[at], 'reserved'),
    grantedMicroUsd: numberIn(rows[at], 'granted'),
  }))
}
