/** Items that wait, each for an owner. */
export interface FairQueue<Item> {
  isEmpty(): boolean
  add(owner: string, item: Item): void
  /** Takes out the next owner's first item; `undefined` when nothing waits. */
  next(): Item | undefined
  /** Counts as the owner's turn, for one whose item did not have to wait. */
  passed(owner: string): void
}

/**
 * Serves owners in turns, and the items of each in the order in which they came: whoever adds a thousand items delays an
 * item of somebody else by one, not by a thousand.
 */
export function fairQueue<Item>(): FairQueue<Item> {
  const itemsOf = new Map<string, Line<Item>>()
  /** The owners with an item that waits, in the order of their turns. */
  const turns = line<string>()
  let lastServed: string | undefined

  return {
    isEmpty: () => turns.isEmpty(),
    add(owner, item) {
      const known = itemsOf.get(owner)
      if (known) return known.add(item)
      const items = line<Item>()
      items.add(item)
      itemsOf.set(owner, items)
      // Whoever was served last has the last turn, also if nobody else was there then.
      const last = turns.takeLastIf((name) => name === lastServed)
      turns.add(owner)
      if (last !== undefined) turns.add(last)
    },
    next() {
      const owner = turns.take()
      if (owner === undefined) return undefined
      const items = itemsOf.get(owner)
      const item = items?.take()
      if (items?.isEmpty()) itemsOf.delete(owner)
      else turns.add(owner)
      lastServed = owner
      return item
    },
    passed(owner) {
      lastServed = owner
    },
  }
}

interface Line<Item> {
  isEmpty(): boolean
  add(item: Item): void
  take(): Item | undefined
  takeLastIf(isWanted: (item: Item) => boolean): Item | undefined
}

const fewTaken = 100

/** First come, first served. Not `shift`, which moves all others in a long array. */
function line<Item>(): Line<Item> {
  const items: (Item | undefined)[] = []
  let taken = 0
  const isEmpty = () => taken === items.length
  return {
    isEmpty,
    add: (item) => void items.push(item),
    take() {
      if (isEmpty()) return undefined
      const item = items[taken]
      items[taken++] = undefined
      if (taken > fewTaken && 2 * taken > items.length) {
        items.splice(0, taken)
        taken = 0
      }
      return item
    },
    takeLastIf(isWanted) {
      const last = isEmpty() ? undefined : items.at(-1)
      return last !== undefined && isWanted(last) ? items.pop() : undefined
    },
  }
}
