/** An item of a list, in one list at a time. */
export interface Linked<Item> {
  before?: Item | undefined
  after?: Item | undefined
}

/**
 * A list whose first item is found, and any item added or removed, in the same short time however long the list is. An array
 * and a `Set` get slow when many items are taken out of a long one.
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

/** Takes an item out of the list. Does nothing for an item that is in no list. */
export function takeOut<Item extends Linked<Item>>(list: LinkedList<Item>, item: Item): void {
  const { before, after } = item
  if (!before && list.first !== item) return
  if (before) before.after = after
  else list.first = after
  if (after) after.before = before
  else list.last = before
  item.before = item.after = undefined
}

/** Puts an item of the list behind the others. */
export function moveToEnd<Item extends Linked<Item>>(list: LinkedList<Item>, item: Item): void {
  if (list.last === item) return
  takeOut(list, item)
  append(list, item)
}
