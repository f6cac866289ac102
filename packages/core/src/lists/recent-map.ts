import { append, type Linked, type LinkedList, moveToEnd, takeOut } from './linked-list.ts'

/** A map that forgets the entries which were not used for the longest time when it has no room for another one. */
export interface RecentMap<Value> {
  /** The value, which counts as used then. `undefined` when there is none. */
  get(key: string): Value | undefined
  /** The same, and the value does not count as used. */
  peek(key: string): Value | undefined
  has(key: string): boolean
  set(key: string, value: Value): void
  /** @returns whether there was such an entry */
  delete(key: string): boolean
  keys(): readonly string[]
}

interface Entry<Value> extends Linked<Entry<Value>> {
  readonly key: string
  readonly value: Value
}

/**
 * Makes a map for entries that have this size together. Each call takes the same short time, however many entries there are.
 * @param sizeOf the size of a value, which must not change. @default 1 for each, so that `maxSize` is a number of entries
 */
export function recentMap<Value>(
  maxSize: number,
  sizeOf: (value: Value) => number = () => 1,
): RecentMap<Value> {
  const entries = new Map<string, Entry<Value>>()
  /** The entries in the order in which they were used. */
  const order: LinkedList<Entry<Value>> = {}
  let size = 0

  function remove(key: string): boolean {
    const entry = entries.get(key)
    if (!entry) return false
    entries.delete(key)
    takeOut(order, entry)
    size -= sizeOf(entry.value)
    return true
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry) moveToEnd(order, entry)
      return entry?.value
    },
    peek: (key) => entries.get(key)?.value,
    has: (key) => entries.has(key),
    set(key, value) {
      remove(key)
      size += sizeOf(value)
      while (size > maxSize && order.first) remove(order.first.key)
      const entry = { key, value, before: undefined, after: undefined }
      entries.set(key, entry)
      append(order, entry)
    },
    delete: remove,
    keys: () => [...entries.keys()],
  }
}
