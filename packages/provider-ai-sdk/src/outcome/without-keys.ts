import { masked } from '@genmount/core'

/** Takes the keys out of a text. */
export type Scrub = (text: string) => string

/**
 * The parameters of URLs in which vendors send keys. The AI SDK does not expose its keys, so keys that are not in the
 * option `secrets` are recognised only by their form or their place.
 */
const keyParameter = /([?&](?:key|api[_-]?key|token|access_token)=)[^&\s"'<>]+/gi

/** Replaces everything that has the form or the place of a key by `[secret]`. */
export function withoutKeys(text: string): string {
  return masked(text.replace(keyParameter, '$1[secret]'))
}

/** Whether a URL contains a key. The signature of a URL is none: it opens only one file. */
export function hasKey(url: string): boolean {
  const values = URL.parse(url)?.searchParams.values() ?? []
  return url.search(keyParameter) >= 0 || [...values].some((value) => masked(value) !== value)
}
