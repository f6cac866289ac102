import type { Output } from '@genmount/core'
import { recordOf } from '../client/record-of.ts'
import { linkOutputs } from './link-outputs.ts'

/**
 * The outputs in the list `data` of an images API in OpenAI's form: base64 in `b64_json` as bytes, and an https URL in
 * `url` as a link. Items without either are left out.
 * @param images the items of the list, as they arrived
 * @example imageOutputs([{ b64_json: 'iVBORw0KGgo=' }, { url: 'https://files.example.com/fox.png' }])
 */
export function imageOutputs(images: readonly unknown[]): readonly Output[] {
  return images.flatMap((image): readonly Output[] => {
    const { b64_json, url } = recordOf(image)
    const bytes = bytesIn(b64_json)
    return bytes && bytes.byteLength > 0 ? [{ bytes }] : linkOutputs([url])
  })
}

/** Filled in a loop, because `Uint8Array.from` with a function takes several times as long for a large image. */
function bytesIn(base64: unknown): Uint8Array | undefined {
  if (typeof base64 !== 'string') return undefined
  try {
    const text = atob(base64)
    const bytes = new Uint8Array(text.length)
    for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
    return bytes
  } catch {
    return undefined
  }
}
