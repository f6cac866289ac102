/** Items that wait, each for an owner. */
export interface FairQueue<Item> {
  isEmpty(): boolean
  /** @returns what takes the item out, for one that waits no longer. Harmless once it is out */
  add(owner: string, item: Item): () => void
  /**
   * The item whose turn it is; `undefined` when nothing waits. An owner is passed over, and keeps its turn, when its first
   * item is not wanted now.
   */
  first(isWanted?: (item: Item) => boolean): Item | undefined
  /** Takes that item out, which is its owner's turn. */
  next(isWanted?: (item: Item) => boolean): Item | undefined
  /** Counts as the owner's turn, for one whose item did not have to wait. */
  passed(owner: string): void
}

interface Turn<Item> {
  readonly owner: string
  readonly items: Line<Item>
}

/**
 * Serves owners in turns, and the items of each in the order in which they came: whoever adds a thousand items delays an
 * item of somebody else by one, not by a thousand. To add and to take out cost the same however many wait.
 * @example
 * const waiting = fairQueue<() => void>()
 * const leave = waiting.add('alice', begin)
 * waiting.next()?.()
 */
export function fairQueue<Item>(): FairQueue<Item> {
  /** The turns of owners with an item that waits. */
  const turnOf = new Map<string, Link<Turn<Item>>>()
  const turns = line<Turn<Item>>()
  let lastServed: string | undefined

  function newTurn(owner: string): Link<Turn<Item>> {
    const last = turns.last()
    const turn = turns.add({ owner, items: line() })
    turnOf.set(owner, turn)
    // Whoever was served last has the last turn, also if nobody else was there then.
    if (last?.item.owner === lastServed) toEnd(last)
    return turn
  }

  function toEnd(turn: Link<Turn<Item>> | undefined): void {
    if (!turn) return
    turns.remove(turn)
    turnOf.set(turn.item.owner, turns.add(turn.item))
  }

  function takeOut({ owner, items }: Turn<Item>, link: Link<Item>): void {
    items.remove(link)
    const turn = turnOf.get(owner)
    if (items.first() || turn?.item.items !== items) return
    turns.remove(turn)
    turnOf.delete(owner)
  }

  function firstTurn(isWanted: (item: Item) => boolean): Turn<Item> | undefined {
    for (let turn = turns.first(); turn; turn = turn.after) {
      const first = turn.item.items.first()
      if (first && isWanted(first.item)) return turn.item
    }
    return undefined
  }

  return {
    isEmpty: () => turns.first() === undefined,
    add(owner, item) {
      const { item: turn } = turnOf.get(owner) ?? newTurn(owner)
      const link = turn.items.add(item)
      return () => takeOut(turn, link)
    },
    first: (isWanted = () => true) => firstTurn(isWanted)?.items.first()?.item,
    next(isWanted = () => true) {
      const turn = firstTurn(isWanted)
      const link = turn?.items.first()
      if (!turn || !link) return undefined
      takeOut(turn, link)
      toEnd(turnOf.get(turn.owner))
      lastServed = turn.owner
      return link.item
    },
    passed(owner) {
      lastServed = owner
    },
  }
}

interface Link<Item> {
  readonly item: Item
  before: Link<Item> | undefined
  after: Link<Item> | undefined
  isIn: boolean
}

interface Line<Item> {
  first(): Link<Item> | undefined
  last(): Link<Item> | undefined
  add(item: Item): Link<Item>
  /** Harmless once it is out. */
  remove(link: Link<Item>): void
}

/** First come, first served. Neither an array nor a Set: both get slow when many are taken out of a long one. */
function line<Item>(): Line<Item> {
  let first: Link<Item> | undefined
  let last: Link<Item> | undefined
  return {
    first: () => first,
    last: () => last,
    add(item) {
      const link = { item, before: last, after: undefined, isIn: true }
      if (last) last.after = link
      else first = link
      last = link
      return link
    },
    remove(link) {
      if (!link.isIn) return
      link.isIn = false
      const { before, after } = link
      if (before) before.after = after
      else first = after
      if (after) after.before = before
      else last = before
    },
  }
}
