const lastInstant = 2 ** 48 - 1

const lastCount = 0xfff
/** The latest id: its instant, the start of all ids of that instant, and the count in the id. */
let latest = { createdAt: Number.NaN, start: '', count: 0 }

/**
 * A new id, which can't be guessed. It has the layout of a UUIDv7 (RFC 9562 section 5.7): it begins with the instant of
 * its creation, so that a store can append new jobs at the end of its index, and the order of ids is that of time. In
 * one millisecond of one process a count keeps the order of up to 2,048 ids (section 6.2, method 1).
 */
export function newJobId(createdAt: number): string {
  const uuid = randomUuid()
  latest =
    createdAt === latest.createdAt
      ? { ...latest, count: Math.min(latest.count + 1, lastCount) }
      : { createdAt, start: idsFrom(createdAt), count: Number.parseInt(uuid.slice(15, 18), 16) >> 1 }
  const random = uuid.slice(19, 23) + uuid.slice(24)
  return `${latest.start}7${latest.count.toString(16).padStart(3, '0')}${random}`
}

/** Whether a text can be the id of a job. For others no store is read. */
export function mayBeJobId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text)
}

/** The ids of all jobs that are created at this instant begin with this text, and those of later jobs come after it. */
export function idsFrom(createdAt: number): string {
  const instant = Math.min(Math.max(0, Math.ceil(createdAt)), lastInstant)
  return `gen_${instant.toString(16).padStart(12, '0')}`
}

/**
 * A random UUID (RFC 9562 section 5.4), for a text that stays in memory. Node joins a UUID from 20 short texts, and V8
 * keeps the tree of these parts, some 500 bytes, until code reads the whole text. `toLowerCase` makes V8 flatten the
 * text, and changes nothing, because a UUID has only lower-case letters.
 */
export function randomUuid(): string {
  return crypto.randomUUID().toLowerCase()
}
