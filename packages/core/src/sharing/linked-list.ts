/** An item of a list, in one list at a time. */
export interface Linked<Item> {
  before?: Item | undefined
  after?: Item | undefined
}

/**
 * A list whose first item is found, and any item added or removed, in the same short time however long it is. A `Set` looks
 * for its first item among the places of all that were removed before it.
 */
export interface LinkedList<Item> {
  first?: Item | undefined
  last?: Item | undefined
}

/** Puts an item that is in no list behind the others. */
export function append<Item extends Linked<Item>>(list: LinkedList<Item>, item: Item): void {
  item.before = list.last
  item.after = undefined
  if (list.last) list.last.after = item
  else list.first = item
  list.last = item
}

/** Takes an item out of the list that it is in. */
export function takeOut<Item extends Linked<Item>>(list: LinkedList<Item>, item: Item): void {
  const { before, after } = item
  if (before) before.after = after
  else list.first = after
  if (after) after.before = before
  else list.last = before
}

/** Puts an item of the list behind the others. */
export function moveToEnd<Item extends Linked<Item>>(list: LinkedList<Item>, item: Item): void {
  if (list.last === item) return
  takeOut(list, item)
  append(list, item)
}
