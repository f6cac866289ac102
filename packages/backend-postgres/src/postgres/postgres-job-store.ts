import {
  checkInstants,
  costEntryOf,
  isFinished,
  type Job,
  type JobInputs,
  type JobStore,
  longestPauseMs,
  malformedJob,
  reservedMicroUsdOf,
  type SpendingBudget,
  type SpendingSpan,
  storedBytesOf,
  taskIdOf,
} from '@genmount/core'
import { columnText, textInColumn } from './column-text.ts'
import { gathered } from './gathered.ts'
import { costColumns, costEntryIn } from './cost-entry-in.ts'
import { grantIn } from './grant-in.ts'
import type { HeldClaims } from './held-claims.ts'
import type { JobDatabase } from './job-database.ts'
import { lastText, operatorsView } from './operators-view.ts'
import type { JobWrite } from './write-queue.ts'
import { dailyUsage } from './daily-usage.ts'
import { jobIn, jobWith, keptRows, knownIn, listedJob, newJob, restOf } from './stored-inputs.ts'

/** The most jobs that one statement reads. */
const mostReads = 50
/** How many times to read the holder of a key that another insert has taken at the same moment. */
const maxLooks = 5

interface Asked {
  readonly id: string
  /** `undefined` for a job of any owner. */
  readonly owner: string | undefined
  /** The inputs of the job that this process has in memory. */
  readonly inputs: JobInputs | undefined
}

/**
 * @param saw called with each job that was read or written, so that waiting requests are not woken for a known state
 */
export function postgresJobStore(
  database: JobDatabase,
  processId: string,
  claims: Pick<HeldClaims, 'begins' | 'wrote'>,
  saw: (id: string, revision: number) => void,
): JobStore {
  async function holderOf(key: string, now: number): Promise<Job | undefined> {
    const [row] = await database.run('holderOfKey', [...knownIn(undefined), columnText(key), now])
    return row && jobIn(row)
  }

  async function readOne({ id, owner, inputs }: Asked): Promise<Job | undefined> {
    const requests = owner === undefined ? null : columnText(owner)
    const [row] = await database.run('get', [...knownIn(inputs), columnText(id), requests])
    return row && jobIn(row, inputs)
  }

  /** Reads several jobs by one statement. A job with long inputs that are not in memory takes one more. */
  function readSeveral(requests: readonly Asked[]): Promise<Job | undefined>[] {
    if (requests.length === 1) return requests.map(readOne)
    const ids = requests.map(({ id }) => columnText(id))
    const owners = requests.map(({ owner }) => (owner === undefined ? null : columnText(owner)))
    const read = database.run('getSeveral', [ids, owners]).then(
      (rows) => new Map(rows.map((row) => [Number(row['n']) - 1, row])),
      // A fault of this connection must not fail so many reads.
      () => undefined,
    )
    return requests.map(async (each, index) => {
      const rows = await read
      if (!rows) return readOne(each)
      const row = rows.get(index)
      if (!row) return undefined
      return jobWith(row, each.inputs) ?? readOne(each)
    })
  }

  function wrote(job: Job): void {
    claims.wrote(job)
    saw(job.id, job.revision)
  }

  const readGathered = gathered(mostReads, readSeveral)

  async function writeJob<Answer>(id: string, writing: () => Promise<Answer>): Promise<Answer> {
    try {
      return await writing()
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown }
      // The class of errors about values that a column can't have, which no further try would mend.
      throw String(code).startsWith('22')
        ? malformedJob(id, 'Postgres refuses one of its values', error)
        : error
    }
  }

  return {
    async insert(job, maxUnfinished, budgets) {
      checkInstants(job)
      claims.begins(job)
      const { owner, keyId, idempotency, createdAt } = job
      const id = columnText(job.id)
      const { text, long } = newJob(job)
      const columns = [id, columnText(owner), ...changingColumns(job, text)]
      const key = idempotency?.key
      // Only budgets ask for the key.
      const isPlain =
        key === undefined && maxUnfinished === undefined && job.reservedUsd === undefined && !budgets
      if (isPlain && long.every((each) => each === null)) {
        await writeJob(job.id, () => database.write({ name: 'insert', values: [...columns, bytesIn(job)] }))
        return { outcome: 'inserted' }
      }
      const values = [
        ...columns,
        key === undefined ? null : columnText(key),
        createdAt,
        ...long,
        bytesIn(job),
        maxUnfinished ?? null,
        reservedIn(job),
        budgets ? recordsOf(budgets) : null,
        keyId === undefined ? null : columnText(keyId),
      ]
      for (let look = 0; look < maxLooks; look++) {
        const [written] = await writeJob(job.id, () => database.run('insertUnlessTaken', values))
        const takenMicroUsd = budgets && numbersIn(written?.['taken'])
        if (written?.['id']) return { outcome: 'inserted', ...(takenMicroUsd && { takenMicroUsd }) }
        const holder = key === undefined ? undefined : await holderOf(key, createdAt)
        if (holder) return { outcome: 'duplicate', job: holder }
        if (written?.['is_within'] === false) return { outcome: 'over_limit' }
        if (written?.['is_left'] === false && takenMicroUsd) return { outcome: 'over_budget', takenMicroUsd }
      }
      throw new Error(`Job ${job.id} was not stored: its idempotency key has changed hands again and again.`)
    },

    findByIdempotencyKey: holderOf,

    async get(id, owner, inputs) {
      const job = await readGathered({ id, owner, inputs })
      if (job) saw(id, job.revision)
      return job
    },

    async replace(job, expectedRevision, budgets) {
      checkInstants(job)
      claims.begins(job)
      // A claim is not news for waiting requests, unless it came with what the provider has reported.
      const teller = job.claim?.until === undefined || job.checkedAt === job.updatedAt ? processId : null
      const columns = changingColumns(job, restOf(job))
      const values = [columnText(job.id), expectedRevision, ...columns, bytesIn(job), teller]
      if (budgets) {
        const limited = [...values, reservedIn(job) ?? 0, recordsOf(budgets), columnText(job.owner)]
        const [room] = await writeJob(job.id, () => database.run('replaceReserving', limited))
        if (room?.['is_left'] === false) {
          const own = Number(room['own'])
          return {
            outcome: 'over_budget',
            takenMicroUsd: numbersIn(room['taken']).map((taken) => taken - own),
          }
        }
        if (!room?.['id']) return 'stale'
        wrote(job)
        return 'replaced'
      }
      const write: JobWrite = isFinished(job)
        ? {
            name: 'replaceFinished',
            values: [...values, ...keptRows(job), ...costColumns(costEntryOf(job)), taskIn(job)],
          }
        : { name: 'replace', values: [...values, reservedIn(job)] }
      if (!(await writeJob(job.id, () => database.write(write)))) return 'stale'
      wrote(job)
      return 'replaced'
    },

    async due(now, limit, skip = 0) {
      const rows = await database.run('due', [now, now + longestPauseMs, limit, skip])
      return rows.map((row) => textInColumn(String(row['id'])))
    },

    async expired(now, limit) {
      const rows = await database.run('expired', [...knownIn(undefined), now, limit])
      return rows.map((row) => jobIn(row))
    },

    async list({ owner, from = '', before, limit, maxLength }) {
      const range = [columnText(from), before === undefined ? lastText : columnText(before)]
      const rows = await database.run('list', [columnText(owner), ...range, limit, maxLength])
      return rows.map(listedJob)
    },

    ...operatorsView(database),
    ...dailyUsage(database),

    async unfinished(owner, limit) {
      const rows = await database.run('unfinished', [columnText(owner), limit])
      return rows.map((row) => textInColumn(String(row['id'])))
    },

    async spending(owner, spans) {
      const rows = await database.run('spending', [columnText(owner), recordsOf(spans)])
      return rows.map(({ spent, reserved, granted }) => ({
        spentMicroUsd: Number(spent),
        reservedMicroUsd: Number(reserved),
        grantedMicroUsd: Number(granted),
      }))
    },

    async grant({ id, owner, usd, by, why, grantedAt }) {
      const texts = [by, why].map(columnText)
      const values = [columnText(id), columnText(owner), Math.round(usd * 1e6), ...texts, grantedAt]
      await database.run('grant', values)
      const [row] = await database.run('grantOf', [columnText(id)])
      return grantIn(row!)
    },

    async grants({ owner, after, limit }) {
      const range = [after?.grantedAt ?? -1, after ? columnText(after.id) : '', limit]
      const rows =
        owner === undefined
          ? await database.run('grantsOfAll', range)
          : await database.run('grants', [...range, columnText(owner)])
      return rows.map(grantIn)
    },

    async storedBytes(owner, now) {
      const [sum] = await database.run('storedBytes', [columnText(owner), now])
      return Number(sum?.['bytes'] ?? 0)
    },

    async noteUpload({ key, owner, bytes, expiresAt, notedAt }) {
      await database.run('noteUpload', [columnText(key), columnText(owner), bytes, expiresAt, notedAt])
    },

    async delete(id, expectedRevision) {
      await database.run('delete', [columnText(id), expectedRevision ?? null])
    },

    async costs({ owner, from, to, after, limit }) {
      const range = [from, to, after?.endedAt ?? from, after ? columnText(after.job) : '', limit]
      const rows =
        owner === undefined
          ? await database.run('costsOfAll', range)
          : await database.run('costs', [...range, columnText(owner)])
      return rows.map(costEntryIn)
    },
  }
}

/** The value of the column `stored_bytes`, which is null for 0. */
const bytesIn = (job: Job) => storedBytesOf(job) || null

/** The vendor's id of the task, of which the ledger has a hash. */
const taskIn = (job: Job) => {
  const taskId = taskIdOf(job)
  return taskId === undefined ? null : columnText(taskId)
}

/** The value of the column `reserved_micro_usd`, which is null for 0. */
const reservedIn = (job: Job) => reservedMicroUsdOf(job) || null

/** Budgets or spans as the JSON of the statements. */
function recordsOf(spans: readonly (SpendingSpan & Partial<SpendingBudget>)[]): string {
  const records = spans.map(({ from, costsFrom, keyId, hasGrants = false, mostMicroUsd }) => ({
    from_at: from,
    costs_from: costsFrom,
    ...(keyId !== undefined && { key: columnText(keyId) }),
    has_grants: hasGrants,
    most: mostMicroUsd,
  }))
  return JSON.stringify(records)
}

/** The numbers of an array in JSON. Absent in a row without an answer. */
function numbersIn(json: unknown): readonly number[] {
  return typeof json === 'string' ? (JSON.parse(json) as readonly number[]) : []
}

/** The values of the columns that a write may change, in the order of the statements. */
function changingColumns(job: Job, text: string): unknown[] {
  const { phase, revision, dueAt, claim: { until, token = '' } = {}, expiresAt, deleteAt } = job
  const holder = until === undefined ? -1 : token.indexOf(':')
  const claimedBy = holder < 0 ? null : columnText(token.slice(0, holder))
  const toDelete = isFinished(job) ? (deleteAt ?? expiresAt) : null
  return [phase, revision, dueAt ?? null, until ?? null, claimedBy, expiresAt, toDelete, text]
}
