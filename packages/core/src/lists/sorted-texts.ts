/**
 * Texts in the order of `<`, each of them once, in runs that follow one another. No run is empty. To add or to remove a
 * text costs about the same for any number of texts.
 */
export type SortedTexts = string[][]

/** A run with more texts is halved, so that few texts move when one comes or goes. */
const longestRun = 512

/** Adds a text that is not there yet. */
export function addText(runs: SortedTexts, text: string): void {
  const at = runFor(runs, text)
  const run = (runs[at] ??= [])
  run.splice(placeIn(run, text), 0, text)
  if (run.length > longestRun) runs.splice(at + 1, 0, run.splice(longestRun / 2))
}

/** Removes the text, if it is there. */
export function removeText(runs: SortedTexts, text: string): void {
  const at = runFor(runs, text)
  const run = runs[at] ?? []
  const place = placeIn(run, text)
  if (run[place] !== text) return
  run.splice(place, 1)
  if (run.length === 0) runs.splice(at, 1)
}

/**
 * The texts that come before `before`, the last one first. No text may be added or removed during the iteration.
 * @param before @default all texts come
 */
export function* textsBackwards(runs: SortedTexts, before?: string): Generator<string> {
  for (let at = before === undefined ? runs.length - 1 : runFor(runs, before); at >= 0; at--) {
    const run = runs[at] ?? []
    let place = before === undefined ? run.length : placeIn(run, before)
    while (place > 0) yield run[--place]!
  }
}

/** The index of the last run that begins at or before `text`; 0 if there is none. */
function runFor(runs: SortedTexts, text: string): number {
  return Math.max(0, firstIndex(runs.length, (index) => runs[index]![0]! > text) - 1)
}

/** How many texts of a run come before `text`. */
function placeIn(run: readonly string[], text: string): number {
  return firstIndex(run.length, (index) => run[index]! >= text)
}

/**
 * The first of `length` indexes for which `holds` is true. `holds` must then be true for all later indexes. `length` if
 * there is no such index.
 */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  // Most new texts come after all others, because ids begin with their instant.
  if (length > 0 && !holds(length - 1)) return length
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
