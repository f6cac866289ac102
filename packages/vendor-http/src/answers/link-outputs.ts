import type { Output } from '@genmount/core'

/** The outputs at those of the values that are https URLs. Other values are left out. */
export function linkOutputs(urls: readonly unknown[]): readonly Output[] {
  const isLink = (url: unknown): url is string =>
    typeof url === 'string' && /^https:\/\//i.test(url) && URL.canParse(url)
  return urls.filter(isLink).map((url) => ({ url }))
}
