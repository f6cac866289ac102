import type { Output } from '@genmount/core'
import { recordOf } from '../client/record-of.ts'
import { bytesIn } from './bytes-in.ts'
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
    return bytes ? [bytes] : linkOutputs([url])
  })
}
