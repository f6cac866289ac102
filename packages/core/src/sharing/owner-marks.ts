import { lastUsed } from '../lists/last-used.ts'

/**
 * Returns the mark of an owner. The mark reveals nothing about the owner's name and is the same for all jobs of that
 * owner.
 */
export type OwnerMarks = (owner: string) => string

/**
 * Gives owners random marks. The marks are not derived from the names, because an attacker with a list of names could
 * then find out which mark belongs to which owner.
 * @param max how many marks are kept, 10000 when left out. Beyond that, the owner who was not seen for the longest time
 *   loses its mark and later gets a new one
 */
export function ownerMarks(max = 10_000): OwnerMarks {
  const markOf = lastUsed<string>(max)
  return (owner) => {
    const existing = markOf.get(owner)
    if (existing !== undefined) return existing
    const mark = crypto.randomUUID()
    markOf.set(owner, mark)
    return mark
  }
}
