const maxLength = 1000

/** What others say, an error's message or anything else, as one line of at most 1000 characters, without credentials. */
export function shortText(value: unknown): string {
  try {
    const text = String(value instanceof Error ? value.message : value)
    // Twice what is shown, so that no credential is cut before it is known for one.
    const line = masked(text.slice(0, 2 * maxLength)).replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    const isLong = line.length > maxLength || text.length > 2 * maxLength
    return isLong ? `${line.slice(0, maxLength).toWellFormed()}…` : line
  } catch {
    return 'something that has no text'
  }
}

/** What credentials look like: an app's own provider may not have scrubbed what its vendor echoes. */
const looksSecret: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic|Key|Token) +(?=\S*\d)[\w.~+/:=-]{15,}[\w~+/=-]/gi, '$1 [secret]'],
  [
    /((?<![a-z])(?:api|access|auth|secret)?[-_]?(?:key|token|secret|password|signature|sig)["']?[=:]\s?["']?)(?=[^\s"'&,]*\d)[^\s"'&,/]{12}[^\s"'&,]*/gi,
    '$1[secret]',
  ],
  [/\b(?:(?:sk|r8|hf|fal|xai|luma|gh[opsu])[-_]|whsec_|AIza)(?=[\w-]*\d)[\w+/=-]{16,}/g, '[secret]'],
  [/(:\/\/)[^\s/@:]*:[^\s/@]+(?=@)/g, '$1[secret]'],
  [/(\/callbacks\/[^\s/]+\/[^\s/]+\/)\w{16,}/g, '$1[secret]'],
]

function masked(text: string): string {
  return looksSecret.reduce((rest, [looks, shown]) => rest.replace(looks, shown), text)
}
