import type { Client } from '@genmount/client'
import { isElsewhere } from './elsewhere.ts'
import type { FileReference } from './file-uri.ts'

/** An output file. */
export interface FetchedFile {
  /** `undefined` for a file that was not fetched, because it is not with the service. */
  readonly mimeType: string | undefined
  /** An address that opens without a key for as long as the service lets it. `undefined` where there is none. */
  readonly openUrl: string | undefined
  /** `undefined` when it is too large, or not of a kind whose bytes are wanted. */
  readonly bytes: Uint8Array | undefined
  /** `undefined` where the service does not say. */
  readonly size: number | undefined
}

/**
 * Looks at an output file, and fetches it when it is small enough.
 * @param maxBytesOf how many bytes are wanted at most of a file of this type
 */
export async function fetchFile(
  client: Client<object>,
  { jobId, n }: FileReference,
  maxBytesOf: (mimeType: string) => number,
  signal: AbortSignal,
): Promise<FetchedFile> {
  const response = await client.download(jobId, n, { signal })
  if (isElsewhere(response))
    return { mimeType: undefined, openUrl: response.url, bytes: undefined, size: undefined }
  const mimeType = response.headers.get('content-type') ?? 'application/octet-stream'
  const length = response.headers.get('content-length')
  const size = length === null ? undefined : Number(length)
  const maxBytes = maxBytesOf(mimeType)
  const isWanted = maxBytes > 0 && (size ?? 0) <= maxBytes
  const bytes = isWanted ? await readUpTo(maxBytes, response) : undefined
  if (!isWanted) await response.body?.cancel()
  // Where the service does not redirect, the address is one that wants the key.
  const isOpen = response.redirected || !/\/v1\/files\//.test(response.url)
  const openUrl = isOpen && response.url !== '' ? response.url : undefined
  return { mimeType, openUrl, bytes, size: bytes?.length ?? size }
}

/** @returns `undefined` when there are more bytes. Those are not read. */
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
