import { LRUCache } from 'lru-cache'

/**
 * Makes a memory of the `max` entries that were used last. It takes the room that its entries need. With its own option
 * `max`, lru-cache would take the room for all of them at once: 2.5 MB and some milliseconds for 100000 entries.
 */
export function lastUsed<Value extends {}>(max: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
}
