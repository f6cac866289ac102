/**
 * Makes foreign text safe for a log or a client: an error's message, or any other value as text, in one line of at most
 * 1000 characters (UTF-16 code units), without credentials and without halves of surrogate pairs. Control characters
 * become spaces. So do those that change the direction of writing, because they could make a log line look like
 * another.
 */
export function shortText(value: unknown): string {
  return shortened(value, 1000)
}

/** As {@link shortText}, with at most `maxLength` characters before an ellipsis. */
export function shortened(value: unknown, maxLength: number): string {
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
 * app's own provider may not remove it. The group `before` stays. A match without the group `secret` stays too: such
 * patterns read a word to its end that only begins like a credential, because a search that began again inside the word
 * would take quadratic time.
 */
const looksSecret: readonly RegExp[] = [
  /(?<before>\b(?:Bearer|Basic)(?: +|%20))(?<secret>[\w.~+/=-]{15,}[\w~+/=-])/gi,
  // Only if the word has three separate numbers, as random text has. Names of fields and files have one or two.
  /(?<before>\b(?:Key|Token) +)(?=[^\d\s]*\d+[^\d\s]+\d+[^\d\s]+\d)(?<secret>[\w.~+/:=-]{15,}[\w~+/=-])/gi,
  // The last 20 characters of a word may be the name of what follows, so they are looked at again.
  /(?<before>(?<![a-z])(?:(?:api|access|auth|secret|client|refresh|session|private|id)?[-_]?(?:key|token|secret|password|signature|sig)|authorization)["'\\]*\s?[=:]\s?["'\\]*)(?=[^\s"'&,/]{12})(?:(?<secret>[^\s"'&,\d]*\d[^\s"'&,]*)|(?:[^\s"'&,](?=[^\s"'&,]{20}))+)/gi,
  /\b(?:(?:sk|r8|hf|fal|xai|luma|key|rw|gh[opsu])[-_]|whsec_|AIza)(?=[\w+/=-]{16})(?:(?<secret>[A-Za-z_-]*\d[\w+/=-]*)|[\w-]+)/g,
  /\beyJ[\w-]{8,}(?<secret>\.[\w-]{8,}\.[\w-]*)?/g,
  /(?<before>:\/\/)(?<secret>[^\s/@]+(?=@))/g,
  /(?<before>\/(?:callbacks\/[^\s/]+|inputs)\/[^\s/]+\/)(?<secret>\w{16,})/g,
]

/**
 * The text without what has the form of a credential, in time that grows with its length.
 * @example masked('No access with Bearer r8_0123456789abcdef.') // 'No access with Bearer [secret].'
 */
export function masked(text: string): string {
  return looksSecret.reduce((rest, looks) => rest.replace(looks, shownInstead), text)
}

function shownInstead(match: string, ...groups: readonly unknown[]): string {
  const { before = '', secret } = groups.at(-1) as Readonly<Record<string, string | undefined>>
  return secret === undefined ? match : `${before}[secret]`
}

const longestWords = 300

/** The first words of a file that is no media, such as a page or an error, in quotation marks. For the operator's log. */
export function firstWords(bytes: Uint8Array): string {
  const words = shortText(new TextDecoder().decode(bytes.subarray(0, longestWords)))
  return `"${words}${bytes.byteLength > longestWords ? '…' : ''}"`
}
