/**
 * Finds files that import themselves through other files.
 * @param importedBy for each file the files that it imports
 * @returns one cycle for each way back that is found, with its first file again at the end
 */
export function importCycles(importedBy: ReadonlyMap<string, readonly string[]>): readonly string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()

  function visit(file: string, path: readonly string[]): void {
    const at = path.indexOf(file)
    if (at >= 0) return void cycles.push([...path.slice(at), file])
    if (done.has(file)) return
    for (const imported of importedBy.get(file) ?? []) visit(imported, [...path, file])
    done.add(file)
  }

  for (const file of importedBy.keys()) visit(file, [])
  return cycles
}
