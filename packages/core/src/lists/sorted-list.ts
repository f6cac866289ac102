/** How items are sorted. */
interface Order<Item> {
  /** Negative when `a` comes before `b`, positive when it comes after `b`, and 0 only when both have the same place. */
  compare(a: Item, b: Item): number
  /** What an item adds to the sums of a list: a whole number, the same at each call. */
  weigh(item: Item): number
}

/** Items that follow one another in the order. There is at least one. */
interface Run<Item> {
  readonly items: Item[]
  sum: number
}

/**
 * Items in an order, at most one for each place. They are kept in runs of hundreds, so that adding, removing and finding
 * an item costs about the same for any number of items.
 */
interface SortedList<Item> {
  readonly runs: Run<Item>[]
  /** The sum of the weights of all items. */
  sum: number
}

/** Lists in the same order: one for each name, such as an owner, and one without a name. An empty one takes no memory. */
interface SortedLists<Item> {
  readonly order: Order<Item>
  readonly byName: Map<string | undefined, SortedList<Item>>
}

/** Whether an item comes before some place. It must be true for all items before the place, and for none behind it. */
type IsBefore<Item> = (item: Item) => boolean

/** A run with more items is halved, so that few items move when one comes or goes. */
const longestRun = 512
/** Items that come in their order begin a new run after so many, so that a few can still come between them. */
const filledRun = 320

export function sortedLists<Item>(order: Order<Item>): SortedLists<Item> {
  return { order, byName: new Map() }
}

/** A list, to be read only. */
export function listOf<Item>({ byName }: SortedLists<Item>, name?: string): SortedList<Item> {
  return byName.get(name) ?? { runs: [], sum: 0 }
}

/** Adds an item to a list. Its place must be free. */
export function addItem<Item>(lists: SortedLists<Item>, item: Item, name?: string): void {
  const { compare, weigh } = lists.order
  const weight = weigh(item)
  const list = lists.byName.get(name)
  if (!list) return void lists.byName.set(name, { runs: [{ items: [item], sum: weight }], sum: weight })
  const { runs } = list
  list.sum += weight
  const last = runs.at(-1)!
  // Most items come in their order, and need no search.
  if (compare(last.items.at(-1)!, item) < 0) {
    if (last.items.length >= filledRun) return void runs.push({ items: [item], sum: weight })
    last.items.push(item)
    last.sum += weight
    return
  }
  const [at, index] = placeOf(list, (other) => compare(other, item) < 0)
  const run = runs[at]!
  run.items.splice(index, 0, item)
  run.sum += weight
  if (run.items.length <= longestRun) return
  const items = run.items.splice(longestRun / 2)
  const sum = sumOf(items, lists.order)
  run.sum -= sum
  runs.splice(at + 1, 0, { items, sum })
}

/** Removes the item that has the place of `item` in the list, if there is one. */
export function removeItem<Item>(lists: SortedLists<Item>, item: Item, name?: string): void {
  const { compare, weigh } = lists.order
  const list = listOf(lists, name)
  const [at, end] = placeOf(list, (other) => compare(other, item) <= 0)
  const run = list.runs[at]
  const removed = run?.items[end - 1]
  if (!run || removed === undefined || compare(removed, item) !== 0) return
  run.items.splice(end - 1, 1)
  run.sum -= weigh(removed)
  list.sum -= weigh(removed)
  if (run.items.length === 0) list.runs.splice(at, 1)
  if (list.runs.length === 0) lists.byName.delete(name)
}

/**
 * The items from a place on. No item may be added or removed during the iteration.
 * @param isBefore @default all items come
 * @param skip how many of these items to leave out. @default 0
 */
export function* itemsFrom<Item>(
  list: SortedList<Item>,
  isBefore: IsBefore<Item> = () => false,
  skip = 0,
): Generator<Item> {
  let [at, index] = placeOf(list, isBefore)
  index += skip
  for (; at < list.runs.length; at++) {
    const { items } = list.runs[at]!
    while (index < items.length) yield items[index++]!
    index -= items.length
  }
}

/** The items before a place, the last one first. No item may be added or removed during the iteration. */
export function* itemsBefore<Item>(list: SortedList<Item>, isBefore: IsBefore<Item>): Generator<Item> {
  const { runs } = list
  let [at, index] = placeOf(list, isBefore)
  for (; at >= 0; index = runs[--at]?.items.length ?? 0) while (index > 0) yield runs[at]!.items[--index]!
}

/** The items up to the first one that is not wanted, and at most `limit`. @param isWanted @default all are */
export function first<Item>(
  items: Iterable<Item>,
  limit: number,
  isWanted: (item: Item) => boolean = () => true,
): Item[] {
  const matches: Item[] = []
  for (const item of items) {
    if (matches.length >= limit || !isWanted(item)) break
    matches.push(item)
  }
  return matches
}

/** The sum of the weights of the items before a place. Adds up whole runs at once. */
export function sumBefore<Item>(
  { order, byName }: SortedLists<Item>,
  isBefore: IsBefore<Item>,
  name?: string,
): number {
  const list = byName.get(name)
  if (!list) return 0
  const [at, index] = placeOf(list, isBefore)
  const items = list.runs[at]!.items.slice(0, index)
  return list.runs.slice(0, at).reduce((sum, run) => sum + run.sum, sumOf(items, order))
}

/** The sum of the weights of the items from a place on. */
export function sumFrom<Item>(lists: SortedLists<Item>, isBefore: IsBefore<Item>, name?: string): number {
  return listOf(lists, name).sum - sumBefore(lists, isBefore, name)
}

function sumOf<Item>(items: readonly Item[], { weigh }: Order<Item>): number {
  return items.reduce((sum, item) => sum + weigh(item), 0)
}

/**
 * The first place whose item is not before. @returns the index of a run, and the index in the run. The place behind the
 * last item of a run stands for the first place of the next run
 */
function placeOf<Item>({ runs }: SortedList<Item>, isBefore: IsBefore<Item>): [run: number, item: number] {
  const at = Math.max(0, countBefore(runs, ({ items }) => isBefore(items[0]!)) - 1)
  return [at, countBefore(runs[at]?.items ?? [], isBefore)]
}

/** How many items come before a place. */
function countBefore<Item>(items: readonly Item[], isBefore: IsBefore<Item>): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(items[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}

const compareTexts = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** With this weight, the sum of a list is the number of its items. */
const one = () => 1

/** Sorts texts by their UTF-16 code units. */
export const byText: Order<string> = { compare: compareTexts, weigh: one }

/** Sorts items by a text, and items of the same text by their ids, by UTF-16 code units. */
export function byTextAndId<Item>(textOf: (item: Item) => string, idOf: (item: Item) => string): Order<Item> {
  return {
    compare: (a, b) => compareTexts(textOf(a), textOf(b)) || compareTexts(idOf(a), idOf(b)),
    weigh: one,
  }
}

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
