/** An item of a linked list. It can be in one list at a time. */
export interface Linked<Item> {
  before?: Item | undefined
  after?: Item | undefined
}

/**
 * A list in which it takes the same short time to find the first item, to add an item, and to remove any item, however
 * long the list is. Arrays and `Set`s get slow when many items are removed from a long one. A `Set` or `Map` that becomes
 * empty again and again also makes garbage each time: V8 gives it a new table, and links the old one to the new one.
 */
export interface LinkedList<Item> {
  first?: Item | undefined
  last?: Item | undefined
}

/** Adds an item, which must be in no list, at the end. */
export function append<Item extends Linked<Item>>(list: LinkedList<Item>, item: Item): void {
  item.before = list.last
  item.after = undefined
  if (list.last) list.last.after = item
  else list.first = item
  list.last = item
}

/** Removes an item from the list. Does nothing for an item that is in no list. */
export function takeOut<Item extends Linked<Item>>(list: LinkedList<Item>, item: Item): void {
  const { before, after } = item
  if (!before && list.first !== item) return
  if (before) before.after = after
  else list.first = after
  if (after) after.before = before
  else list.last = before
  item.before = item.after = undefined
}

/** Moves an item of the list to the end. */
export function moveToEnd<Item extends Linked<Item>>(list: LinkedList<Item>, item: Item): void {
  if (list.last === item) return
  takeOut(list, item)
  append(list, item)
}
