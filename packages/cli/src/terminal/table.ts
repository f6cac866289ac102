import truncatedWidth from 'fast-string-truncated-width'
import { plainText } from './plain-text.ts'
import type { Printer } from './printer.ts'

/** How wide the last column must be before a spare column is shown. */
const wordsWidth = 20
const gap = '  '

/**
 * Writes rows. A terminal gets aligned columns with a heading, and whole words of what is too long for it; a pipe gets all
 * cells with tabs between them and no heading.
 * @param spare the columns without which a narrow terminal does, the last first, so that the last column of all has room
 */
export function writeTable(
  stdout: Printer,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  spare: readonly string[] = [],
): void {
  if (!stdout.isTerminal) {
    for (const row of rows) stdout.row(row)
    return
  }
  const all = [head, ...rows.map((row) => row.map(plainText))]
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))))
  const columns = shownColumns(
    widths,
    spare.map((name) => head.indexOf(name)),
    stdout.columns,
  )
  for (const row of all) {
    const cells = columns.map((column) => padded(row[column] ?? '', widths[column]!))
    stdout.line(wholeWords(cells.join(gap).trimEnd(), stdout.columns))
  }
}

/** The columns that are shown: spare ones only where the last column has room for some words beside them. */
function shownColumns(widths: readonly number[], spare: readonly number[], most: number): number[] {
  const columns = [...widths.keys()]
  const least = Math.min(wordsWidth, widths.at(-1) ?? 0)
  const isTooWide = () =>
    columns.slice(0, -1).reduce((sum, column) => sum + widths[column]! + gap.length, least) > most
  for (const column of spare.toReversed()) if (isTooWide()) columns.splice(columns.indexOf(column), 1)
  return columns
}

/** How many columns of a terminal a text takes: two for a Chinese character or an emoji. */
function widthOf(text: string): number {
  return truncatedWidth(text).width
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** The text, or as many whole words of it as fit into a line, and an ellipsis. */
function wholeWords(text: string, most: number): string {
  const { index, truncated } = truncatedWidth(text, { limit: most, ellipsis: '…' })
  if (!truncated) return text
  const cut = text.slice(0, index)
  const isInWord = /\S/.test(text[index] ?? ' ') && /\S$/.test(cut)
  const words = isInWord ? cut.replace(/\s\S*$/, '') : cut
  // A text without spaces, such as a link or Chinese, is cut where the line ends.
  const isMost = widthOf(words) >= most / 2
  return `${(isMost ? words : cut).replace(/[\s,;:]+$/, '')}…`
}
