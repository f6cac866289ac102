/** Returns the text with every secret in it replaced by `[secret]`. */
export type Scrub = (text: string) => string

/**
 * Makes a function that takes the given secrets out of texts, also in their percent-encoded form.
 * @throws TypeError when a secret is not a text, or is empty and so would be found everywhere
 */
export function scrubber(secrets: readonly string[]): Scrub {
  if (!Array.isArray(secrets) || secrets.some((secret) => typeof secret !== 'string' || secret === ''))
    throw new TypeError('secrets must be a list of texts, none of them empty.')
  const forms = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))]
  // Replaces the longest first, because one secret can be a part of another.
  forms.sort((a, b) => b.length - a.length)
  return (text) => forms.reduce((scrubbed, form) => scrubbed.replaceAll(form, '[secret]'), text)
}
