/**
 * The name that the app's developer probably meant: the same name in another case or with other separators, a name that
 * differs in at most a third of its letters, or a name that contains the given one.
 * @returns `undefined` when no name is similar
 */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z\d]/g, '')
  const meant = plain(given)
  const byDistance = names
    .map((name) => ({ name, distance: distanceOf(meant, plain(name)) }))
    .toSorted((a, b) => a.distance - b.distance)
  const [nearest] = byDistance
  if (nearest && nearest.distance <= Math.ceil(meant.length / 3)) return nearest.name
  return meant.length < 4 ? undefined : names.find((name) => plain(name).includes(meant))
}

/** How many letters must be changed, added or left out to make one text of the other (Levenshtein). */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...to].entries())
      next.push(Math.min(row[at + 1]! + 1, next[at]! + 1, row[at]! + (letter === other ? 0 : 1)))
    row = next
  }
  return row[to.length]!
}
