import { LRUCache } from 'lru-cache'
import type { JsonObject } from '@genmount/core'

/** How many characters of JSON the tasks that are kept may be long, together. */
const maxLength = 64 * 2 ** 20

/**
 * Tasks that were written or read lately: a task may be megabytes long and goes with its job into every step and every
 * read, but hardly ever changes.
 */
export interface KnownTasks {
  /** The task that the job had when it was last written or read here. */
  of(jobId: string): JsonObject | undefined
  /** The row of the database that holds this very object, if it is known. */
  rowOf(task: JsonObject | undefined): number | undefined
  /** To be called once the row is on disk, because a row that is rolled back gives its number back. */
  keep(jobId: string, stored: StoredTask): void
  forget(jobId: string): void
}

export interface StoredTask {
  readonly task: JsonObject
  readonly row: number
  /** Of its JSON. */
  readonly length: number
}

export function knownTasks(): KnownTasks {
  const rows = new WeakMap<JsonObject, number>()
  const tasks = new LRUCache<string, JsonObject>({ maxSize: maxLength })
  return {
    of: (jobId) => tasks.get(jobId),
    rowOf: (task) => task && rows.get(task),
    keep(jobId, { task, row, length }) {
      rows.set(task, row)
      tasks.set(jobId, task, { size: length })
    },
    forget: (jobId) => void tasks.delete(jobId),
  }
}
