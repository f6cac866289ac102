import { fromBase64, type Output } from '@genmount/core'

/**
 * The output that base64 stands for, padded or not, in lines or not, in the usual alphabet or in the one for URLs.
 * @returns `undefined` for any other value, and when there are no bytes in it
 */
export function bytesIn(base64: unknown): Output | undefined {
  if (typeof base64 !== 'string') return undefined
  const bytes = fromBase64(base64.replaceAll('-', '+').replaceAll('_', '/'))
  return bytes && bytes.byteLength > 0 ? { bytes } : undefined
}
