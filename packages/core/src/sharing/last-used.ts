import { LRUCache } from 'lru-cache'

/**
 * Makes a memory of the `max` entries that were used last. It takes the room that its entries need. With its own option
 * `max`, lru-cache would take the room for all of them at once: 2.5 MB and some milliseconds for 100000 entries.
 */
export function lastUsed<Value extends {}>(max: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
}

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
