import type { Client, OutputReference } from '@genmount/client'
import { isElsewhere } from './elsewhere.ts'

/** An output file. */
export interface FetchedFile {
  /** `undefined` for a file that was not fetched, because it is outside the service. */
  readonly mimeType: string | undefined
  /** A URL that opens without a key until the service lets it expire. `undefined` if there is no such URL. */
  readonly openUrl: string | undefined
  /** `undefined` when the file is too large, or of a type whose bytes the caller does not want. */
  readonly bytes: Uint8Array | undefined
  /** The size in bytes. `undefined` if the service does not say. */
  readonly size: number | undefined
}

/**
 * Looks at an output file, and fetches it when it is small enough.
 * @param maxBytesOf the most bytes that the caller wants of a file of this type
 */
export async function fetchFile(
  client: Client<object>,
  { jobId, n }: OutputReference,
  maxBytesOf: (mimeType: string) => number,
  signal: AbortSignal,
): Promise<FetchedFile> {
  return fetched(await client.download(jobId, n, { signal }), maxBytesOf)
}

async function fetched(response: Response, maxBytesOf: (mimeType: string) => number): Promise<FetchedFile> {
  if (isElsewhere(response))
    return { mimeType: undefined, openUrl: response.url, bytes: undefined, size: undefined }
  const mimeType = response.headers.get('content-type') ?? 'application/octet-stream'
  const length = response.headers.get('content-length')
  const size = length === null ? undefined : Number(length)
  const maxBytes = maxBytesOf(mimeType)
  const isWanted = maxBytes > 0 && (size ?? 0) <= maxBytes
  const bytes = isWanted ? await readUpTo(maxBytes, response) : undefined
  if (!isWanted) await response.body?.cancel()
  // If the service does not redirect, its `/v1/files` URL needs the key.
  const isOpen = response.redirected || !/\/v1\/files\//.test(response.url)
  const openUrl = isOpen && response.url !== '' ? response.url : undefined
  return { mimeType, openUrl, bytes, size: bytes?.length ?? size }
}

/** The widths of a smaller picture, in pixels, from the one that is tried first. */
const smallerWidths = [1024, 512, 256]
/** For how long a service that has much to convert is asked again, in milliseconds. */
const smallerWithinMs = 20_000

/**
 * Fetches a picture of a file in few bytes: a smaller one, or the first frame of a film. A service without the plugin `variants`
 * has none, and sends the file itself.
 * @returns `undefined` when there is none of at most `maxBytes`
 */
export async function fetchSmaller(
  client: Client<object>,
  { jobId, n }: OutputReference,
  mimeType: string,
  maxBytes: number,
  caller: AbortSignal,
): Promise<Uint8Array | undefined> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(smallerWithinMs)])
  const poster = mimeType.startsWith('video/') || undefined
  try {
    for (const width of smallerWidths) {
      const response = await client.download(jobId, n, { signal, width, format: 'webp', poster })
      const {
        bytes,
        size,
        mimeType: type,
      } = await fetched(response, (sent) => (sent === 'image/webp' ? maxBytes : 0))
      if (bytes) return bytes
      if (type !== 'image/webp' || size === undefined) return undefined
    }
  } catch {
    // The file itself is there, and its link is in the answer.
    caller.throwIfAborted()
  }
  return undefined
}

/** Reads a body of at most `maxBytes` bytes. @returns `undefined` when the body is longer. The rest is not read */
async function readUpTo(maxBytes: number, { body }: Response): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  if (body)
    for await (const piece of body) {
      length += piece.length
      if (length > maxBytes) return undefined
      pieces.push(piece)
    }
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}
