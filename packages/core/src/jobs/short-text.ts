const maxLength = 1000

/** What others say, an error's message or anything else, as one line of at most 1000 characters. */
export function shortText(value: unknown): string {
  try {
    const text = String(value instanceof Error ? value.message : value)
    const line = text.slice(0, maxLength).replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    return text.length > maxLength ? `${line.toWellFormed()}…` : line
  } catch {
    return 'something that has no text'
  }
}
