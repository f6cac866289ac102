import { Buffer } from 'node:buffer'
import { mediaTypeOf } from '@genmount/core'
import { FetchRefusedError, type GuardedFetch } from '@genmount/guarded-fetch'
import { failed, type FailedReport } from './google-api.ts'

/** A picture as the API takes it: in the request, in base64. */
export interface Picture {
  readonly mimeType: string
  readonly data: string
}

const pictureUri = /^data:(image\/(?:png|jpe?g|webp));base64,(?=[\w+/])/i
const pictureTypes = new Set(['image/png', 'image/jpeg', 'image/webp'])
const limits = { maxBytes: 20 * 1024 * 1024, timeoutMs: 30_000 }

/** Whether the text is a data URI of a picture. Looks at its head only, however long it is. */
export function isPictureUri(text: string): boolean {
  return pictureUri.test(text.slice(0, 40))
}

/**
 * Gets the pictures that an input names, because the API takes no links.
 * @returns a report instead when one is not to be had; nothing is spent by then
 */
export async function readPictures(
  sources: readonly string[],
  fetchFile: GuardedFetch,
  signal: AbortSignal,
): Promise<readonly Picture[] | FailedReport> {
  try {
    return await Promise.all(sources.map((source) => readPicture(source, fetchFile, signal)))
  } catch (error) {
    if (error instanceof FetchRefusedError) return failed('input_fetch_failed', `image: ${error.message}`)
    throw error
  }
}

async function readPicture(source: string, fetchFile: GuardedFetch, signal: AbortSignal): Promise<Picture> {
  const head = pictureUri.exec(source.slice(0, 40))
  if (head) {
    const mimeType = (head[1] ?? '').toLowerCase().replace('jpg', 'jpeg')
    return { mimeType, data: source.slice(head[0].length) }
  }
  const bytes = await (await fetchFile(source, { ...limits, signal })).bytes()
  // Whatever media type the server claims: the bytes tell.
  const mimeType = mediaTypeOf(bytes)
  if (pictureTypes.has(mimeType)) return { mimeType, data: Buffer.from(bytes).toString('base64') }
  throw new FetchRefusedError('content_type', 'What the URL gives is no PNG, JPEG or WebP picture.')
}
