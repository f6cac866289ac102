import type { FileFetch, Output } from '@genmount/core'
import { type AnsweredFile, type AnswerFiles, listedFiles, type VendorClient } from '@genmount/provider-kit'

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

/** Says what is wrong with a link: it may be at any address, and below the server's own. */
export function linkFaultAt(baseUrl: string): (link: string) => string | undefined {
  return (link) =>
    /^(?:https?:|\.{0,2}\/)|\.\w{2,5}$/i.test(link) && URL.canParse(link, `${baseUrl}/`)
      ? undefined
      : 'is no URL'
}

/**
 * Turns the images of an answer into outputs. A public https URL stays a URL. All other files are fetched, because only
 * this process may be able to reach them. A file that cannot be fetched gets a fault.
 */
export async function fetchedFiles(files: AnswerFiles, source: ImageSource): Promise<AnswerFiles> {
  const list = await Promise.all(
    files.list.map(async ({ output, ...file }): Promise<AnsweredFile> => {
      const made = output && 'url' in output ? await fetched(output.url, source) : output
      const revision = output?.revisedPrompt !== undefined && { revisedPrompt: output.revisedPrompt }
      return made ? { ...file, output: { ...made, ...revision } } : { fault: 'cannot be fetched', ...file }
    }),
  )
  return listedFiles(list)
}

async function fetched(url: string, source: ImageSource): Promise<Output | undefined> {
  const address = new URL(url, `${source.baseUrl}/`)
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
