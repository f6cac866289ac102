import { Buffer } from 'node:buffer'
import type { Output } from '@genmount/core'

/** Decodes base64 into an output; `undefined` when the text is not base64, or is empty. */
export function bytesIn(base64: string): Output | undefined {
  if (!/^[\w+/=\s-]+$/.test(base64)) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.byteLength > 0 ? { bytes } : undefined
}
