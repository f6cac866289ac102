import { LRUCache } from 'lru-cache'
import type { JsonObject } from '@genmount/core'

/** The limit for the parts that are kept in memory: the total length of their JSON, in characters. */
const maxLength = 64 * 2 ** 20

/** The parts of a job that are stored in rows of their own. */
export interface Parts {
  readonly task?: JsonObject | undefined
  readonly input?: JsonObject | undefined
}

/** The row of a part in its table, and the length of its JSON in characters. */
export interface Place {
  readonly row: number
  readonly length: number
}

/**
 * Keeps the parts of recently used jobs in memory. A part may be megabytes long and is needed in every step
 * and every read of its job, but it hardly ever changes, so it is neither written nor read again.
 */
export interface KnownParts {
  /** The parts that the job had when this process last wrote or read it. */
  of(jobId: string): Parts
  /** The place of this object, compared by identity; `undefined` if it is not known. */
  placeOf(kind: keyof Parts, part: JsonObject | undefined): Place | undefined
  /**
   * Remembers where a part is. Call it only when the row is on disk, because the number of a row that is
   * rolled back is used again.
   */
  place(kind: keyof Parts, part: JsonObject, place: Place): void
  /** Keeps these parts of the job instead of its earlier ones. Call `place` for each of them first. */
  keep(jobId: string, parts: Parts): void
}

const none: Parts = {}

export function knownParts(): KnownParts {
  // There is one map for each kind, because task and input of a job may be the same object, which then has a
  // row in both tables.
  const places = { task: new WeakMap<JsonObject, Place>(), input: new WeakMap<JsonObject, Place>() }
  const jobs = new LRUCache<string, Parts>({ maxSize: maxLength })

  function placeOf(kind: keyof Parts, part: JsonObject | undefined): Place | undefined {
    return part && places[kind].get(part)
  }

  return {
    of: (jobId) => jobs.get(jobId) ?? none,
    placeOf,
    place: (kind, part, place) => void places[kind].set(part, place),
    keep(jobId, parts) {
      const { task, input } = parts
      const inputLength = input === task ? 0 : placeOf('input', input)?.length
      const size = (placeOf('task', task)?.length ?? 0) + (inputLength ?? 0)
      if (size > 0) jobs.set(jobId, parts, { size })
      else jobs.delete(jobId)
    },
  }
}
