/** The AI SDK keeps its keys to itself, so those not given in `secrets` are known by their looks alone. */
const looksSecret: readonly (readonly [RegExp, string])[] = [
  [/([?&](?:key|api[_-]?key|token|access_token)=)[^&\s"'<>]+/gi, '$1[secret]'],
  [/\b(Bearer|Key)\s+[\w.~+/:=-]{8,}/g, '$1 [secret]'],
  [/\b(?:sk-|r8_|AIza|xai-|luma-)[\w*-]{20,}/g, '[secret]'],
]

/** A text without what looks like a key. */
export function withoutKeys(text: string): string {
  return looksSecret.reduce((scrubbed, [looks, shown]) => scrubbed.replace(looks, shown), text)
}
