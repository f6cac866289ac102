import type { Output } from '@genmount/core'

/** The outputs at those of the values that are https URLs. Other values are left out. */
export function linkOutputs(urls: readonly unknown[]): readonly Output[] {
  return urls.flatMap((url) => (typeof url === 'string' && /^https:\/\//i.test(url) ? [{ url }] : []))
}
