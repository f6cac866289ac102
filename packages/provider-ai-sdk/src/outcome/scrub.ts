/** Takes out of a text what must not be shown or logged. */
export type Scrub = (text: string) => string

const keyParameters = 'key|api[_-]?key|token|access_token'

/** The AI SDK keeps its keys to itself, so those not given in `secrets` are known by their looks alone. */
const looksSecret: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`([?&](?:${keyParameters})=)[^&\\s"'<>]+`, 'gi'), '$1[secret]'],
  [/\b(Bearer|Key)\s+[\w.~+/:=-]{8,}/g, '$1 [secret]'],
  [/\b(?:sk-|r8_|AIza|xai-|luma-)[\w*-]{20,}/g, '[secret]'],
]

/** @throws TypeError when a secret is no text, or empty */
export function scrubber(secrets: readonly string[]): Scrub {
  if (!Array.isArray(secrets) || secrets.some((secret) => typeof secret !== 'string' || secret === ''))
    throw new TypeError('secrets must be a list of texts that are not empty.')
  return (text) => {
    const unnamed = secrets.reduce((scrubbed, secret) => scrubbed.replaceAll(secret, '[secret]'), text)
    return looksSecret.reduce((scrubbed, [looks, shown]) => scrubbed.replace(looks, shown), unnamed)
  }
}

/** Whether a URL opens with a key of ours: it is neither stored nor shown to anybody. */
export function carriesKey(url: string, scrub: Scrub): boolean {
  return scrub(url) !== url
}
