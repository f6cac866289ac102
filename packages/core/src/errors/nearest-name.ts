/**
 * The name that the app's developer probably meant: the same name in another case or with other separators, a name that
 * differs in at most a third of its letters, or a name that contains the given one.
 * @returns `undefined` when no name is similar
 */
export function nearestName(wrongName: string, names: readonly string[]): string | undefined {
  const meant = plain(wrongName)
  const [nearest] = names
    .map((name) => ({ name, slips: slipsBetween(wrongName, name) }))
    .toSorted((a, b) => a.slips - b.slips)
  if (nearest && nearest.slips <= Math.ceil(meant.length / 3)) return nearest.name
  return meant.length < 4 ? undefined : names.find((name) => plain(name).includes(meant))
}

/**
 * How many letters and digits must be changed, added or left out to make one name of the other (Levenshtein), whatever
 * their case and separators.
 */
export function slipsBetween(name: string, meant: string): number {
  const to = plain(meant)
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...plain(name)].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...to].entries())
      next.push(Math.min(row[at + 1]! + 1, next[at]! + 1, row[at]! + (letter === other ? 0 : 1)))
    row = next
  }
  return row[to.length]!
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '')
}
