/**
 * Rows as CSV (RFC 4180) with a line of names. A text that a spreadsheet would run as a formula begins with an apostrophe, which
 * spreadsheets do not show.
 * @param names the columns; a row may have other fields
 */
export function csvOf<Name extends string>(
  names: readonly Name[],
  rows: readonly { readonly [name in Name]?: string | number | null | undefined }[],
): string {
  const lines = [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))]
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('')
}

function cellOf(value: string | number | null | undefined): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
