/**
 * The AI SDK does not give its keys away. So keys that are not in the option `secrets` are recognised by their form
 * only.
 */
const looksSecret: readonly (readonly [RegExp, string])[] = [
  [/([?&](?:key|api[_-]?key|token|access_token)=)[^&\s"'<>]+/gi, '$1[secret]'],
  [/\b(Bearer|Key)\s+[\w.~+/:=-]{8,}/g, '$1 [secret]'],
  [/\b(?:sk-|r8_|AIza|xai-|luma-)[\w*-]{20,}/g, '[secret]'],
]

/** Replaces everything that has the form of a key by `[secret]`. */
export function withoutKeys(text: string): string {
  return looksSecret.reduce((scrubbed, [looks, shown]) => scrubbed.replace(looks, shown), text)
}
