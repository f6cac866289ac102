import type { WriteStream } from 'node:tty'
import { plainText } from './plain-text.ts'

/**
 * Writes rows. A terminal gets aligned columns with a heading; a pipe gets cells with tabs between them and no heading.
 */
export function writeTable(
  stdout: WriteStream,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const cells = rows.map((row) => row.map(plainText))
  if (!stdout.isTTY) {
    for (const row of cells) stdout.write(`${row.join('\t')}\n`)
    return
  }
  const all = [head, ...cells]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  for (const row of all) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
    stdout.write(`${line.trimEnd().slice(0, stdout.columns || 80)}\n`)
  }
}
