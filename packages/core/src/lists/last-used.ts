import { append, type Linked, type LinkedList, moveToEnd, takeOut } from './linked-list.ts'

/** A memory of the entries that were used last. It takes the room that its entries need. */
export interface LastUsed<Value extends {}> {
  /** How many entries there are. */
  readonly count: number
  /** The value of an entry, which then counts as the last used one. */
  get(name: string): Value | undefined
  /** As `get`, but the entry does not count as used. */
  peek(name: string): Value | undefined
  /** Adds an entry, or replaces one. One that is larger than the memory is not kept. @param size @default 1 */
  set(name: string, value: Value, size?: number): void
  /** Removes an entry. @returns whether it was there */
  delete(name: string): boolean
}

interface Entry<Value> extends Linked<Entry<Value>> {
  readonly name: string
  readonly value: Value
  readonly size: number
}

/** @param max the most that the sizes of all entries may add up to. Those that were not used for longest are forgotten */
export function lastUsed<Value extends {}>(max: number): LastUsed<Value> {
  const byName = new Map<string, Entry<Value>>()
  const inOrder: LinkedList<Entry<Value>> = {}
  let together = 0

  function remove(entry: Entry<Value> | undefined): boolean {
    if (!entry) return false
    takeOut(inOrder, entry)
    together -= entry.size
    return byName.delete(entry.name)
  }

  return {
    get count() {
      return byName.size
    },
    get(name) {
      const entry = byName.get(name)
      if (entry) moveToEnd(inOrder, entry)
      return entry?.value
    },
    peek: (name) => byName.get(name)?.value,
    set(name, value, size = 1) {
      remove(byName.get(name))
      if (size > max) return
      const entry = { name, value, size, before: undefined, after: undefined }
      byName.set(name, entry)
      append(inOrder, entry)
      together += size
      while (together > max) remove(inOrder.first)
    },
    delete: (name) => remove(byName.get(name)),
  }
}
