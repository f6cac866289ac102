const maxLength = 1000

/**
 * Makes foreign text safe for a log or a client: an error's message, or any other value as text, in one line of at most
 * 1000 characters (UTF-16 code units), without credentials and without halves of surrogate pairs. Control characters
 * become spaces. So do those that change the direction of writing, because they could make a log line look like
 * another.
 */
export function shortText(value: unknown): string {
  try {
    const text = String(value instanceof Error ? value.message : value)
    // Cut at twice the length first: a credential that is cut in two might not be recognised.
    const line = masked(cut(text, 2 * maxLength)).replace(
      /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
      ' ',
    )
    const isLong = line.length > maxLength || text.length > 2 * maxLength
    return (isLong ? `${cut(line, maxLength)}…` : line).toWellFormed()
  } catch {
    return 'something that has no text'
  }
}

/**
 * The first `length` characters of a text; one fewer when the last would be half of a surrogate pair (above U+FFFF).
 */
function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length).replace(/[\ud800-\udbff]$/, '') : text
}

/**
 * Patterns of credentials. The text may contain some, because a vendor may repeat a credential in its answer, and an
 * app's own provider may not remove it.
 */
const looksSecret: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)( +|%20)[\w.~+/=-]{15,}[\w~+/=-]/gi, '$1$2[secret]'],
  // Only if the word has three separate numbers, as random text has. Names of fields and files have one or two.
  [/\b(Key|Token) +(?=[^\d\s]*\d+[^\d\s]+\d+[^\d\s]+\d)[\w.~+/:=-]{15,}[\w~+/=-]/gi, '$1 [secret]'],
  [
    /((?<![a-z])(?:(?:api|access|auth|secret|client|refresh|session|private|id)?[-_]?(?:key|token|secret|password|signature|sig)|authorization)["'\\]*\s?[=:]\s?["'\\]*)(?=[^\s"'&,]*\d)[^\s"'&,/]{12}[^\s"'&,]*/gi,
    '$1[secret]',
  ],
  [/\b(?:(?:sk|r8|hf|fal|xai|luma|key|rw|gh[opsu])[-_]|whsec_|AIza)(?=[\w-]*\d)[\w+/=-]{16,}/g, '[secret]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[secret]'],
  [/(:\/\/)[^\s/@]+(?=@)/g, '$1[secret]'],
  [/(\/(?:callbacks\/[^\s/]+|inputs)\/[^\s/]+\/)\w{16,}/g, '$1[secret]'],
]

function masked(text: string): string {
  return looksSecret.reduce((rest, [looks, shown]) => rest.replace(looks, shown), text)
}
