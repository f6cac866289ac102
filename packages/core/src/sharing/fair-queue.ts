import { append, type Linked, type LinkedList, moveToEnd, takeOut } from './linked-list.ts'

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
  const turns: LinkedList<Turn<Item>> = {}
  const turnOf = new Map<string, Turn<Item>>()
  let lastServed: string | undefined

  function newTurn(owner: string): Turn<Item> {
    const { last } = turns
    const turn: Turn<Item> = { owner, items: {} }
    append(turns, turn)
    turnOf.set(owner, turn)
    // Whoever was served last has the last turn, also if nobody else was there then.
    if (last && last.owner === lastServed) moveToEnd(turns, last)
    return turn
  }

  function remove(turn: Turn<Item>, waiting: Waiting<Item>): void {
    takeOut(turn.items, waiting)
    if (turn.items.first) return
    takeOut(turns, turn)
    if (turnOf.get(turn.owner) === turn) turnOf.delete(turn.owner)
  }

  function firstTurn(isWanted: (item: Item) => boolean): Turn<Item> | undefined {
    for (let turn = turns.first; turn; turn = turn.after)
      if (turn.items.first && isWanted(turn.items.first.item)) return turn
    return undefined
  }

  return {
    isEmpty: () => turns.first === undefined,
    add(owner, item) {
      const turn = turnOf.get(owner) ?? newTurn(owner)
      const waiting: Waiting<Item> = { item }
      append(turn.items, waiting)
      return () => remove(turn, waiting)
    },
    first: (isWanted = () => true) => firstTurn(isWanted)?.items.first?.item,
    next(isWanted = () => true) {
      const turn = firstTurn(isWanted)
      const waiting = turn?.items.first
      if (!turn || !waiting) return undefined
      remove(turn, waiting)
      if (turn.items.first) moveToEnd(turns, turn)
      lastServed = turn.owner
      return waiting.item
    },
    passed(owner) {
      lastServed = owner
    },
  }
}

/** An owner's place among the owners. */
interface Turn<Item> extends Linked<Turn<Item>> {
  readonly owner: string
  readonly items: LinkedList<Waiting<Item>>
}

interface Waiting<Item> extends Linked<Waiting<Item>> {
  readonly item: Item
}
