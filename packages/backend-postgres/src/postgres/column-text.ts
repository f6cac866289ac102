/** Marks a text that is stored as JSON. No ordinary name begins with it. */
const mark = '\u0001json:'

/**
 * Converts a text for a column. Postgres can store neither NUL nor lone surrogates, so a text with one of these is
 * stored as JSON, which escapes them.
 */
export function columnText(text: string): string {
  return text.includes('\0') || text.startsWith(mark) || !text.isWellFormed()
    ? mark + JSON.stringify(text)
    : text
}

/** Reads a text that {@link columnText} has converted. */
export function textInColumn(stored: string): string {
  return stored.startsWith(mark) ? (JSON.parse(stored.slice(mark.length)) as string) : stored
}
