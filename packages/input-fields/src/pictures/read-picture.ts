import { Buffer } from 'node:buffer'
import { type FileFetch, mediaTypeOf, type ProviderReport } from '@genmount/core'
import { gatherBytes } from '@genmount/guarded-fetch'
import { isOneOf, namesOf, type PictureType, pictureUri } from './picture-uri.ts'

export interface Picture {
  /** By its bytes, whatever its URL or its server says. */
  readonly mediaType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A picture that can't be had. The message is for whoever named it. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}

/**
 * What to report of a task whose picture can't be had: nothing was spent by then.
 * @param field which the message is to name, where it can only be that one
 * @throws any other error
 */
export function pictureFailure(error: unknown, field?: string): Extract<ProviderReport, { state: 'failed' }> {
  if (!(error instanceof PictureError)) throw error
  const message = field === undefined ? error.message : `${field}: ${error.message}`
  return { state: 'failed', code: 'input_fetch_failed', message }
}

/** How often a fetch is tried that may yet succeed. */
const tries = 3
/** For each try; three of them are less than the minute that a call has. */
const limits = { accept: ['*/*'], timeoutMs: 15_000 }

/**
 * The picture behind a URL of at most `maxBytes`, or in a data URI.
 * @param fetchFile `guardedFetch`, or a function like it
 * @throws PictureError, or the reason of `signal` when that aborts
 */
export async function readPicture(
  source: string,
  types: readonly PictureType[],
  fetchFile: FileFetch,
  signal: AbortSignal,
  maxBytes: number,
): Promise<Picture> {
  const uri = pictureUri(source)
  const bytes = uri
    ? Uint8Array.from(Buffer.from(uri.base64, 'base64'))
    : await fetched(source, fetchFile, signal, maxBytes)
  const mediaType = mediaTypeOf(bytes)
  if (isOneOf(types, mediaType)) return { mediaType, bytes }
  throw new PictureError(`What the URL of a picture gives is no ${namesOf(types)} picture.`)
}

async function fetched(
  url: string,
  fetchFile: FileFetch,
  signal: AbortSignal,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { body } = await fetchFile(url, { ...limits, maxBytes, signal })
      return await gatherBytes(body)
    } catch (error) {
      signal.throwIfAborted()
      const { name, message, retryable } = error as Partial<Error & { retryable: boolean }>
      if (retryable === true && attempt < tries) continue
      // The messages of guardedFetch are made to be shown; anybody else's may say too much.
      const shown = name === 'FetchRefusedError' ? message : 'The URL of a picture could not be fetched.'
      throw new PictureError(shown, { cause: error })
    }
  }
}
