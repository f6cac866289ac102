import type { Clock } from '../contracts/clock.ts'
import { append, type Linked, type LinkedList, takeOut, moveToEnd } from '../lists/linked-list.ts'

/** Runs at most a certain number of steps at the same time. The others wait. */
export interface Lane {
  /** Whether a step that comes now has to wait. */
  isFull(): boolean
  /**
   * Runs the step as soon as there is a place. Urgent steps come before the others; among each of the two kinds, owners
   * take turns. The promise settles as the step does.
   * @param owner the owner of the step. Steps without an owner count as those of one owner, and keep their order
   */
  run(step: () => Promise<void>, isUrgent?: boolean, owner?: string): Promise<void>
  /**
   * Takes a place for a step that is not urgent. Call it only if the lane is not full.
   * @returns a function that gives the place back
   */
  take(owner: string): () => void
  /** How many steps have a place, and how many wait for one. */
  counts(): { readonly running: number; readonly waiting: number }
}

/**
 * Makes a lane.
 * @param count how many steps may run at the same time
 * @param longestMs after how many milliseconds a step loses its place to a waiting one. The step itself goes on. A step
 *   that hangs, or never settles because it belongs to a worker's request that is over, must not hold up the steps
 *   behind it
 */
export function lane(clock: Clock, count: number, longestMs: number): Lane {
  /** The places of the steps, in the order in which the steps began. */
  const inside: LinkedList<Place> = {}
  let taken = 0
  const isFree = () => taken < count
  const urgent = fairQueue<() => void>()
  const others = fairQueue<() => void>()
  const areWaiting = () => !(urgent.isEmpty() && others.isEmpty())
  let cancelTimer: (() => void) | undefined

  function callNext(): void {
    const now = clock.uptime()
    while (inside.first && inside.first.until <= now) leave(inside.first)
    while (isFree() && areWaiting()) (urgent.next() ?? others.next())?.()
    cancelTimer?.()
    // When this timer fires, every step that has a place now has ended or has lost its place.
    cancelTimer = areWaiting() ? clock.after(longestMs, callNext) : undefined
  }

  function takePlace(): () => void {
    const place: Place = { until: clock.uptime() + longestMs, isTaken: true }
    append(inside, place)
    taken++
    return () => {
      if (!place.isTaken) return
      leave(place)
      if (areWaiting()) callNext()
    }
  }

  async function enter(step: () => Promise<void>): Promise<void> {
    const giveBack = takePlace()
    try {
      await step()
    } finally {
      giveBack()
    }
  }

  function leave(place: Place): void {
    takeOut(inside, place)
    place.isTaken = false
    taken--
  }

  return {
    isFull: () => !isFree(),
    counts: () => ({ running: taken, waiting: urgent.count() + others.count() }),
    take(owner) {
      others.passed(owner)
      return takePlace()
    },
    run(step, isUrgent = false, owner = '') {
      const queue = isUrgent ? urgent : others
      if (isFree()) {
        queue.passed(owner)
        return enter(step)
      }
      return new Promise((resolve) => {
        queue.add(owner, () => resolve(enter(step)))
        callNext()
      })
    },
  }
}

/** The place of one step. */
interface Place extends Linked<Place> {
  /** Until which uptime the step keeps the place if others wait. */
  readonly until: number
  isTaken: boolean
}

/** Items that wait, each belonging to an owner. */
export interface FairQueue<Item> {
  /** Whether no item waits. */
  isEmpty(): boolean
  /** How many items wait. Looks at each of them. */
  count(): number
  /**
   * Adds an item behind the other items of its owner.
   * @returns a function that removes the item from the queue. It does nothing when the item has already left the queue
   */
  add(owner: string, item: Item): () => void
  /**
   * The item whose turn it is. The item stays in the queue.
   * @param isWanted whether an item can be served now. If an owner's first item can't be served, the next owner's item
   * is checked, and the skipped owner keeps its turn. @default every item can be served
   * @returns `undefined` when no item waits that is wanted
   */
  first(isWanted?: (item: Item) => boolean): Item | undefined
  /** Removes and returns the item that `first` returns. Its owner's turn is over, and the other owners come next. */
  next(isWanted?: (item: Item) => boolean): Item | undefined
  /** Counts as a turn of the owner. Call it when an item was served without having to wait in the queue. */
  passed(owner: string): void
}

/**
 * A queue that serves owners in turns, and the items of each owner in the order in which they were added. If one owner
 * adds a thousand items, the next item of another owner waits for one of them, not for a thousand. To add and to remove
 * an item takes the same time however many items wait.
 * @example
 * const waiting = fairQueue<() => void>()
 * const leave = waiting.add('alice', begin)
 * waiting.next()?.()
 */
export function fairQueue<Item>(): FairQueue<Item> {
  /** The owners who have items that wait, in the order of their turns. */
  const turns: LinkedList<Turn<Item>> = {}
  const turnOf = new Map<string, Turn<Item>>()
  let lastServed: string | undefined

  function newTurn(owner: string): Turn<Item> {
    const { last } = turns
    const turn: Turn<Item> = { owner, items: {} }
    append(turns, turn)
    turnOf.set(owner, turn)
    // The owner who was served last comes last, even if no other owner was waiting at that time.
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
    count() {
      let items = 0
      for (let turn = turns.first; turn; turn = turn.after)
        for (let waiting = turn.items.first; waiting; waiting = waiting.after) items++
      return items
    },
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

/** An owner in the order of turns, with the items that wait for it. */
interface Turn<Item> extends Linked<Turn<Item>> {
  readonly owner: string
  readonly items: LinkedList<Waiting<Item>>
}

interface Waiting<Item> extends Linked<Waiting<Item>> {
  readonly item: Item
}
