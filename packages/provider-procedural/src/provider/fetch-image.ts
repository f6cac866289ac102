import { FetchRefusedError, guardedFetch, type GuardedFetchOptions } from '@genmount/guarded-fetch'
import pRetry from 'p-retry'
import { sniffImage } from './input-image.ts'

/** Gets the file behind the URL of an `image` input. @throws FetchRefusedError, or the reason of `signal` when that aborts */
export type FetchImage = (url: string, signal: AbortSignal) => Promise<Uint8Array>

/** How often a fetch is tried that may yet succeed, and how long the first pause between two tries is. */
const tries = 3
const pauseMs = 250

export function imageFetcher(options: Pick<GuardedFetchOptions, 'allowAddress'> = {}): FetchImage {
  return async (url, signal) => {
    const bytes = await pRetry(async () => (await guardedFetch(url, { ...options, signal })).bytes(), {
      retries: tries - 1,
      minTimeout: pauseMs,
      signal,
      shouldRetry: ({ error }) => error instanceof FetchRefusedError && error.retryable,
    })
    // Whatever media type the server claims: the bytes tell.
    if (sniffImage(bytes) !== undefined) return bytes
    throw new FetchRefusedError('content_type', 'What the URL gives is no PNG, JPEG, WebP or GIF picture.')
  }
}
