import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { type Job, type JobStore, type JsonObject, longestPauseMs } from '@genmount/core'
import type { JobDatabase } from './job-database.ts'
import type { JobStatements } from './job-statements.ts'
import { knownTasks, type StoredTask } from './known-tasks.ts'

type Row = Record<string, SQLOutputValue>

export function sqliteJobStore(database: JobDatabase): JobStore {
  const tasks = knownTasks()

  /** Taken when the caller calls, like the columns. @returns what writes the task, and returns it if it is new there */
  function taskWriter({ id, task }: Job): (statements: JobStatements) => StoredTask | undefined {
    const row = tasks.rowOf(freeze(task))
    const text = task && row === undefined ? JSON.stringify(task) : undefined
    return ({ taskRow, deleteTask, insertTask }) => {
      if (row !== undefined && taskRow.get(id)?.id === row) return undefined
      deleteTask.run(id)
      if (!task) return undefined
      const written = text ?? JSON.stringify(task)
      return { task, row: Number(insertTask.run(id, written).lastInsertRowid), length: written.length }
    }
  }

  function jobIn(row: Row | undefined, known?: JsonObject): Job | undefined {
    return row && jobOf(row, known)
  }

  /** `known`: the task that the query was told to leave out. */
  function jobOf(row: Row, known?: JsonObject): Job {
    const job = JSON.parse(String(row.job)) as Job
    if (row.task_row === null) return job
    if (row.task === null && known) return { ...job, task: known }
    const text = String(row.task)
    const task = freeze(JSON.parse(text) as JsonObject)
    tasks.keep(job.id, { task, row: Number(row.task_row), length: text.length })
    return { ...job, task }
  }

  return {
    async insert(job) {
      const { id, owner, createdAt } = job
      const key = job.idempotency?.key ?? null
      const columns = [...changingColumns(job), id, owner, key]
      const writeTask = taskWriter(job)
      const { holder, task } = await database.write((statements) => {
        statements.freeExpiredKey.run(key, createdAt)
        if (statements.insert.run(...columns).changes === 1) return { task: writeTask(statements) }
        return { holder: statements.holderOfKey.get(null, key, createdAt) }
      })
      if (task) tasks.keep(id, task)
      return holder ? { outcome: 'duplicate', job: jobOf(holder) } : { outcome: 'inserted' }
    },

    async findByIdempotencyKey(key, now) {
      return jobIn(await database.read(({ holderOfKey }) => holderOfKey.get(null, key, now)))
    },

    async get(id, owner) {
      const known = tasks.of(id)
      const row = await database.read(({ get }) => get.get(tasks.rowOf(known) ?? null, id, owner ?? null))
      return jobIn(row, known)
    },

    async replace(job, expectedRevision) {
      const columns = [...changingColumns(job), job.id, expectedRevision]
      const writeTask = taskWriter(job)
      const { isReplaced, task } = await database.write((statements) => {
        const isReplaced = statements.replace.run(...columns).changes === 1
        return { isReplaced, task: isReplaced ? writeTask(statements) : undefined }
      })
      if (task) tasks.keep(job.id, task)
      else if (!job.task) tasks.forget(job.id)
      return isReplaced ? 'replaced' : 'stale'
    },

    async due(now, limit) {
      const farAhead = now + longestPauseMs
      const rows = await database.glance(({ due }) => due.all({ now, farAhead, limit }))
      return rows.map(({ id }) => String(id))
    },

    async expired(now, limit) {
      const rows = await database.read(({ expired }) => expired.all(null, now, limit))
      return rows.map((row) => jobOf(row))
    },

    async delete(id) {
      await database.write((statements) => {
        statements.delete.run(id)
        statements.deleteTask.run(id)
      })
      tasks.forget(id)
    },
  }
}

/** In the order of the statements. Taken when the caller calls, who may change the job while the write waits. */
function changingColumns({ task: _kept, ...job }: Job): SQLInputValue[] {
  const { phase, revision, dueAt, claimedUntil, expiresAt, deleteAt } = job
  const instants = [dueAt ?? null, claimedUntil ?? null, expiresAt, deleteAt ?? null]
  // JSON escapes what SQLite's text has trouble with: NUL and lone surrogates.
  return [phase, revision, ...instants, JSON.stringify(job)]
}

/** A task is handed out as it is kept. What is frozen already was frozen to the ground. */
function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(freeze)
  return value
}
