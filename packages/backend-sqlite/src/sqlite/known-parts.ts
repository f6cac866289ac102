import { LRUCache } from 'lru-cache'
import type { JsonObject } from '@genmount/core'

/** How many characters of JSON the parts that are kept may be long, together. */
const maxLength = 64 * 2 ** 20

export interface Parts {
  readonly task?: JsonObject | undefined
  readonly input?: JsonObject | undefined
}

/** Where a part is in the database, and how many characters its JSON has. */
export interface Place {
  readonly row: number
  readonly length: number
}

/**
 * Parts of jobs that were written or read lately: a part may be megabytes long and goes with its job into every step and
 * every read, but hardly ever changes.
 */
export interface KnownParts {
  /** The parts that the job had when it was last written or read here. */
  of(jobId: string): Parts
  /** Where this very object is, if it is known. */
  placeOf(kind: keyof Parts, part: JsonObject | undefined): Place | undefined
  /** To be called once the row is on disk, because a row that is rolled back gives its number back. */
  place(kind: keyof Parts, part: JsonObject, place: Place): void
  /** Keeps the parts of the job, which have been placed, and forgets what it had before. */
  keep(jobId: string, parts: Parts): void
}

const none: Parts = {}

export function knownParts(): KnownParts {
  // One for each kind, because a job's task and input may be one object, which then has a row in each table.
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
