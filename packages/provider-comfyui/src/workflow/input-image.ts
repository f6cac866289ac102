import { Buffer } from 'node:buffer'
import { mediaTypeOf } from '@genmount/core'
import { FetchRefusedError, guardedFetch, type GuardedFetchOptions } from '@genmount/guarded-fetch'

/** What ComfyUI's `LoadImage` reads everywhere, and the ending of its file names. */
const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
}
const dataUriHead = /^data:image\/(?:png|jpe?g|webp|gif);base64,/i
const tries = 3

/** A picture that a client gave. */
export interface InputImage {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The same for the same bytes, so that ComfyUI keeps one file of it. */
  readonly fileName: string
}

/** Whether the text is a data URI of a picture. Looks at its head only, however long it is. */
export function isImageDataUri(text: string): boolean {
  const [head] = dataUriHead.exec(text.slice(0, 40)) ?? []
  return (
    head !== undefined &&
    endingOf(Buffer.from(text.slice(head.length, head.length + 32), 'base64')) !== undefined
  )
}

/**
 * The picture behind a URL or in a data URI.
 * @throws FetchRefusedError, or the reason of `signal` when that aborts
 */
export async function readImage(
  source: string,
  options: Pick<GuardedFetchOptions, 'signal' | 'allowAddress'>,
): Promise<InputImage> {
  const bytes = dataUriHead.test(source.slice(0, 40))
    ? new Uint8Array(Buffer.from(source.slice(source.indexOf(',') + 1), 'base64'))
    : await fetchImage(source, options)
  // Whatever media type its server claims: the bytes tell.
  const ending = endingOf(bytes)
  if (ending === undefined)
    throw new FetchRefusedError('content_type', 'What the URL gives is no PNG, JPEG, WebP or GIF picture.')
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
  return { bytes, fileName: `genmount-${digest.slice(0, 32)}.${ending}` }
}

async function fetchImage(
  url: string,
  options: Pick<GuardedFetchOptions, 'signal' | 'allowAddress'>,
): Promise<Uint8Array<ArrayBuffer>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (await guardedFetch(url, options)).bytes()
    } catch (error) {
      if (attempt === tries || !(error instanceof FetchRefusedError && error.retryable)) throw error
    }
  }
}

function endingOf(bytes: Uint8Array): string | undefined {
  return endings[mediaTypeOf(bytes)]
}
