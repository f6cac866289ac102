import { LRUCache } from 'lru-cache'

/** Gives each owner a mark that tells nothing of the name, and is the same for all jobs of the owner in this process. */
export type OwnerMarks = (owner: string) => string

/**
 * Marks are random and not made from the name: no one who has a list of names finds out which mark is whose.
 * @param max how many owners keep their marks. One that has not been there for longer than so many others gets a new one
 */
export function ownerMarks(max = 10_000): OwnerMarks {
  const markOf = new LRUCache<string, string>({ max })
  return (owner) => {
    const known = markOf.get(owner)
    if (known !== undefined) return known
    const mark = crypto.randomUUID()
    markOf.set(owner, mark)
    return mark
  }
}
