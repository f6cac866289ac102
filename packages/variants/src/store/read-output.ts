import { type FileStore, GenerationError } from '@genmount/core'

/** The largest file that is read, in bytes. */
const maxBytes = 64 * 1024 * 1024

/**
 * Reads the whole file of an output.
 * @param link how long a link to a store without `open` lasts, and what ends the read
 * @throws GenerationError `file_not_found`, or `invalid_request` when the file is too large
 */
export async function readOutput(
  files: FileStore,
  fileKey: string,
  link: { readonly untilAt: number; readonly signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  const file = files.open ? await files.open(fileKey) : await linkedFile(files, fileKey, link)
  if (!file) throw new GenerationError('file_not_found', 'There is no such file.')
  if (file.size > maxBytes)
    throw new GenerationError(
      'invalid_request',
      `The output has more than ${maxBytes / 2 ** 20} MiB, so it can not be converted.`,
    )
  return new Uint8Array(await new Response(file.read()).arrayBuffer())
}

/** A file in a store that only makes links to it. */
async function linkedFile(
  files: FileStore,
  fileKey: string,
  { untilAt, signal }: { readonly untilAt: number; readonly signal: AbortSignal },
) {
  const url = await files.link?.(fileKey, untilAt)
  const response = url === undefined ? undefined : await fetch(url, { signal, redirect: 'error' })
  if (!response?.ok) {
    await response?.body?.cancel()
    if (response && response.status !== 404) throw new Error(`The file store answers ${response.status}.`)
    return undefined
  }
  const size = Number(response.headers.get('content-length') ?? Infinity)
  if (size > maxBytes) await response.body?.cancel()
  return { size, read: () => response.body }
}
