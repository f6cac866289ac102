import { Buffer } from 'node:buffer'
import type { Output } from '@genmount/core'

/** The output that base64 stands for; `undefined` when the text is no base64, or when there are no bytes in it. */
export function bytesIn(base64: string): Output | undefined {
  if (!/^[\w+/=\s-]+$/.test(base64)) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.byteLength > 0 ? { bytes } : undefined
}
