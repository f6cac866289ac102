import { type FileFetch, fromBase64, isBase64, mediaTypeOf, type ProviderReport } from '@genmount/core'
import { gatherBytes } from '@genmount/guarded-fetch'
import { isCutOff } from './is-cut-off.ts'
import { isOneOf, namesOf, type PictureType, type PictureUri, pictureUri } from './picture-uri.ts'

/** A picture that has been fetched or decoded. */
export interface Picture {
  /** The media type, read from the first bytes. The URL and the server are not trusted. */
  readonly mediaType: string
  /** The file. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A picture cannot be fetched or decoded. The message may be shown to the person who gave it. */
export class PictureError extends Error {
  /** Identifies this error if two copies of the package are installed and `instanceof` fails. */
  override readonly name = 'PictureError'
}

/**
 * The report on a task whose picture cannot be fetched or decoded. Nothing has been sent to the vendor, so nothing was
 * spent.
 * @param error what was thrown while the picture was read
 * @param field the input field that the message names. @default none, for models with several pictures
 * @throws `error` itself, when it is not a `PictureError`
 */
export function pictureFailure(error: unknown, field?: string): Extract<ProviderReport, { state: 'failed' }> {
  if (!(error instanceof PictureError)) throw error
  const message = field === undefined ? error.message : `${field}: ${error.message}`
  return { state: 'failed', code: 'input_fetch_failed', message }
}

/** How many times a picture is fetched when the error may be temporary. */
const tries = 3
/** The limits of each try. Three tries of 15 s are shorter than the minute that a provider call has. */
const limits = { accept: ['*/*'], timeoutMs: 15_000 }

/**
 * Reads a picture from a URL or a data URI. `maxBytes` limits a picture from a URL.
 * @param fetchFile `guardedFetch`, or a function like it
 * @throws PictureError when it cannot be fetched, or is not of one of `types`
 * @throws the reason of `signal`, when `signal` aborts
 */
export async function readPicture(
  source: string,
  types: readonly PictureType[],
  fetchFile: FileFetch,
  signal: AbortSignal,
  maxBytes: number,
): Promise<Picture> {
  const uri = pictureUri(source)
  const bytes = uri ? decoded(uri) : await fetched(source, fetchFile, signal, maxBytes)
  const mediaType = mediaTypeOf(bytes)
  if (mediaType !== undefined && isOneOf(types, mediaType)) return { mediaType, bytes }
  throw new PictureError(`The URL of a picture does not lead to ${namesOf(types)}.`)
}

function decoded({ base64 }: PictureUri): Uint8Array<ArrayBuffer> {
  const bytes = isBase64(base64) ? fromBase64(base64) : undefined
  if (bytes && !isCutOff(base64)) return bytes
  const fault = bytes
    ? 'The data URI of a picture is cut off'
    : 'The base64 in the data URI of a picture is broken'
  throw new PictureError(`${fault}.`)
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
      // Only the messages of guardedFetch are safe to show. Messages of other functions may contain secrets.
      const words = name === 'FetchRefusedError' ? message : 'The URL of a picture could not be fetched.'
      throw new PictureError(words, { cause: error })
    }
  }
}
