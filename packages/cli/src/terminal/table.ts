import { plainText } from './plain-text.ts'
import type { Printer } from './printer.ts'

/**
 * Writes rows. A terminal gets aligned columns with a heading; a pipe gets cells with tabs between them and no heading.
 */
export function writeTable(
  stdout: Printer,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  if (!stdout.isTerminal) {
    for (const row of rows) stdout.row(row)
    return
  }
  const all = [head, ...rows.map((row) => row.map(plainText))]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  for (const row of all) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
    stdout.line(line.trimEnd().slice(0, stdout.columns))
  }
}
