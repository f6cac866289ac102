import type { Order } from './sorted-list.ts'

const compareTexts = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** With this weight, the sum of a list is the number of its items. */
const one = () => 1

/** Sorts texts by their UTF-16 code units, the last one first. */
export const lastTextFirst: Order<string> = { compare: (a, b) => compareTexts(b, a), weigh: one }

/**
 * Sorts items by an instant, and items of the same instant by their ids.
 * @param weigh what an item adds to the sums of a list. @default 1
 */
export function byInstant<Item>(
  instantOf: (item: Item) => number,
  idOf: (item: Item) => string,
  weigh: (item: Item) => number = one,
): Order<Item> {
  return { compare: (a, b) => instantOf(a) - instantOf(b) || compareTexts(idOf(a), idOf(b)), weigh }
}
