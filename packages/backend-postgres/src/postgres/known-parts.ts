import { LRUCache } from 'lru-cache'
import type { JsonObject } from '@genmount/core'

/** The limit for the parts that are kept in memory: the total length of their JSON, in characters. */
const maxLength = 64 * 2 ** 20

/** A part of a job that has a row of its own, which is written once and never changed. */
export interface Part {
  /** The id of the row. */
  readonly id: string
  readonly value: JsonObject
  /** The length of the JSON, in characters. */
  readonly length: number
}

/** The parts of a job that have rows of their own. */
export interface Parts {
  readonly task?: Part | undefined
  readonly input?: Part | undefined
}

const none: Parts = {}

/**
 * The parts of the most recently used jobs. A part may be megabytes long and is needed in every step and every read of
 * its job. Parts hardly ever change, so a known part is neither written nor read again.
 */
export interface KnownParts {
  of(jobId: string): Parts
  keep(jobId: string, parts: Parts): void
}

export function knownParts(): KnownParts {
  const jobs = new LRUCache<string, Parts>({ maxSize: maxLength })
  return {
    of: (jobId) => jobs.get(jobId) ?? none,
    keep(jobId, parts) {
      const size = (parts.task?.length ?? 0) + (parts.input?.length ?? 0)
      if (size > 0) jobs.set(jobId, parts, { size })
      else jobs.delete(jobId)
    },
  }
}
