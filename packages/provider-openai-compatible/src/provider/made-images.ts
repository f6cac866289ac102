import type { FileFetch, Output } from '@genmount/core'
import { bytesIn, type VendorClient } from '@genmount/vendor-http'

/** An image in an answer: base64 as at OpenAI, or a URL. */
export interface MadeImage {
  readonly b64_json?: string | null | undefined
  readonly url?: string | null | undefined
}

/** The server from which the images of one answer are fetched. */
export interface ImageSource {
  readonly ask: VendorClient['ask']
  readonly fetchFile: FileFetch
  /** The address of the API. URLs at its origin are fetched with the key, and may be private. */
  readonly baseUrl: string
  readonly signal: AbortSignal
  /** The owner of the task. */
  readonly owner: string | undefined
}

const limits = { maxBytes: 64 * 1024 * 1024, timeoutMs: 60_000 }
/**
 * How many times a file of an answer is fetched. A second request for the answer would cost again, so several tries are
 * worthwhile.
 */
const tries = 3

/**
 * Turns the images of an answer into outputs. A public https URL stays a URL. All other files are fetched, because only
 * this process may be able to reach them. A file that is not an image, or that cannot be fetched, is omitted.
 */
export async function outputsOf(
  images: readonly MadeImage[],
  source: ImageSource,
): Promise<readonly Output[]> {
  const made = await Promise.all(images.map((image) => outputOf(image, source)))
  return made.filter((output) => output !== undefined)
}

async function outputOf({ b64_json, url }: MadeImage, source: ImageSource): Promise<Output | undefined> {
  if (b64_json) return bytesIn(b64_json)
  if (!url) return undefined
  const inline = /^data:[^,]*;base64,(.*)$/is.exec(url)?.[1]
  if (inline !== undefined) return bytesIn(inline)
  const address = URL.parse(url, `${source.baseUrl}/`)
  if (address === null) return undefined
  const isOwn = address.origin === new URL(source.baseUrl).origin
  if (address.protocol === 'https:' && !isOwn) return { url: address.href }
  const bytes = isOwn ? await ownFile(address.href, source) : await foreignFile(address.href, source)
  return bytes && { bytes }
}

async function ownFile(path: string, { ask, signal }: ImageSource): Promise<Uint8Array | undefined> {
  const { maxBytes } = limits
  for (let attempt = 1; attempt <= tries && !signal.aborted; attempt++) {
    const answer = await ask({ method: 'GET', path, maxBytes, signal }).catch(() => undefined)
    if (answer?.ok && answer.bytes.byteLength > 0) return answer.bytes
  }
  return undefined
}

async function foreignFile(
  url: string,
  { fetchFile, signal, owner }: ImageSource,
): Promise<Uint8Array | undefined> {
  try {
    const { body } = await fetchFile(url, { ...limits, accept: ['*/*'], signal, owner })
    return new Uint8Array(await new Response(body as BodyInit).arrayBuffer())
  } catch {
    return undefined
  }
}
