import { LRUCache } from 'lru-cache'

/**
 * Makes a memory of the entries that were used last. It takes the room that its entries need. With its own option `max`,
 * lru-cache would take the room for all of them at once: 2.5 MB and some milliseconds for 100000 entries.
 * @param max the most that the sizes of all entries may add up to. An entry that is set without a `size` has the size 1, and one
 *   that is larger than the memory is not kept
 */
export function lastUsed<Value extends {}>(max: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
}
