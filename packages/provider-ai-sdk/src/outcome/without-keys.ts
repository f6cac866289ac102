/**
 * The AI SDK does not expose its keys. So keys that are not in the option `secrets` are recognised only by their form.
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
