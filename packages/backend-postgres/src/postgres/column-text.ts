/** Marks a text that is stored as JSON. No name that somebody would choose begins with it. */
const mark = '\u0001json:'

/**
 * The text as it is stored in a column: Postgres keeps neither NUL nor lone surrogates, so a text with one of these is
 * stored as JSON, which escapes them.
 */
export function columnText(text: string): string {
  return text.includes('\0') || text.startsWith(mark) || !text.isWellFormed()
    ? mark + JSON.stringify(text)
    : text
}

/** The text that {@link columnText} has stored. */
export function textInColumn(stored: string): string {
  return stored.startsWith(mark) ? (JSON.parse(stored.slice(mark.length)) as string) : stored
}
