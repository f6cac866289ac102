/** Takes out of a text what must not be shown or logged. */
export type Scrub = (text: string) => string

/** @throws TypeError when a secret is no text, or empty: it would be found everywhere */
export function scrubber(secrets: readonly string[]): Scrub {
  if (!Array.isArray(secrets) || secrets.some((secret) => typeof secret !== 'string' || secret === ''))
    throw new TypeError('secrets must be a list of texts that are not empty.')
  const forms = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))]
  // One can be a part of another.
  forms.sort((a, b) => b.length - a.length)
  return (text) => forms.reduce((scrubbed, form) => scrubbed.replaceAll(form, '[secret]'), text)
}
