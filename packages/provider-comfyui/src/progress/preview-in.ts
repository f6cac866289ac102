import type { Buffer } from 'node:buffer'
import { type JobPreview, mediaTypeOf } from '@genmount/core'
import { jsonIn, recordOf } from '@genmount/provider-kit'

/** PREVIEW_IMAGE_WITH_METADATA: https://github.com/Comfy-Org/ComfyUI protocol.py, at 1b71f27 (read in November 2026). */
const withMetadata = 4

const previewTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp'])

/**
 * The picture in a binary message of ComfyUI, if the message names this prompt: server.py, send_image_with_metadata.
 * The message begins with its type and the length of its metadata, 4 bytes each.
 *
 * A message of the older type 1 names no prompt. ComfyUI sends it to every client when a prompt has no client id, so
 * the picture may belong to another owner.
 */
export function previewIn(message: Buffer, promptId: string): JobPreview | undefined {
  if (message.length < 8 || message.readUInt32BE(0) !== withMetadata) return undefined
  const start = 8 + message.readUInt32BE(4)
  if (start > message.length) return undefined
  const metadata = recordOf(jsonIn(message.toString('utf8', 8, start)))
  if (metadata['prompt_id'] !== promptId) return undefined
  // A copy, because the message may lie in a much larger buffer that would stay in memory with it.
  return previewOf(new Uint8Array(message.subarray(start)))
}

/** The file as a preview, if its first bytes are those of such a picture. */
export function previewOf(bytes: Uint8Array): JobPreview | undefined {
  const contentType = mediaTypeOf(bytes) ?? ''
  return previewTypes.has(contentType) ? { bytes, contentType } : undefined
}
