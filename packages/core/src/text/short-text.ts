const maxLength = 1000

/**
 * What others say, an error's message or anything else, as one line of at most 1000 characters (UTF-16 code units), none
 * of them half of another, without credentials. Controls become spaces, those of the direction of writing too, which let a
 * line of a log look like another one.
 */
export function shortText(value: unknown): string {
  try {
    const text = String(value instanceof Error ? value.message : value)
    // Twice what is shown, so that no credential is cut before it is known for one.
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

/** The beginning of a text, without the half of a pair of surrogates (a character above U+FFFF) that would end it. */
function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length).replace(/[\ud800-\udbff]$/, '') : text
}

/** What credentials look like: an app's own provider may not have scrubbed what its vendor echoes. */
const looksSecret: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)( +|%20)[\w.~+/=-]{15,}[\w~+/=-]/gi, '$1$2[secret]'],
  // Random text: names of fields and files have a number or two.
  [/\b(Key|Token) +(?=[^\d\s]*\d+[^\d\s]+\d+[^\d\s]+\d)[\w.~+/:=-]{15,}[\w~+/=-]/gi, '$1 [secret]'],
  [
    /((?<![a-z])(?:(?:api|access|auth|secret|client|refresh|session|private|id)?[-_]?(?:key|token|secret|password|signature|sig)|authorization)["'\\]*\s?[=:]\s?["'\\]*)(?=[^\s"'&,]*\d)[^\s"'&,/]{12}[^\s"'&,]*/gi,
    '$1[secret]',
  ],
  [/\b(?:(?:sk|r8|hf|fal|xai|luma|key|rw|gh[opsu])[-_]|whsec_|AIza)(?=[\w-]*\d)[\w+/=-]{16,}/g, '[secret]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[secret]'],
  [/(:\/\/)[^\s/@]+(?=@)/g, '$1[secret]'],
  [/(\/callbacks\/[^\s/]+\/[^\s/]+\/)\w{16,}/g, '$1[secret]'],
]

function masked(text: string): string {
  return looksSecret.reduce((rest, [looks, shown]) => rest.replace(looks, shown), text)
}
