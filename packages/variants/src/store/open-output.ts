import { type FileStore, GenerationError } from '@genmount/core'

/** The largest files that are read, in bytes. */
const maxBytes = { picture: 64 * 1024 * 1024, film: 512 * 1024 * 1024 }

/** How to read a file of a store without `open`. */
interface Access {
  /** Until when the link must work, in milliseconds since the Unix epoch. */
  readonly untilAt: number
  readonly signal: AbortSignal
}

/**
 * Opens the file of an output.
 * @throws GenerationError `file_not_found`, or `invalid_request` when the file is too large
 */
export async function openOutput(
  files: FileStore,
  fileKey: string,
  kind: 'film' | 'picture',
  access: Access,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const file = files.open ? await files.open(fileKey) : await linkedFile(files, fileKey, access)
  if (!file) throw new GenerationError('file_not_found', 'There is no such file.')
  if (file.size <= maxBytes[kind]) return file.read()
  if ('leave' in file) await file.leave()
  const most = maxBytes[kind] / 2 ** 20
  throw new GenerationError(
    'invalid_request',
    `The output has more than ${most} MiB, so it can not be converted.`,
  )
}

/** A file in a store that only makes links to it. */
async function linkedFile(files: FileStore, fileKey: string, { untilAt, signal }: Access) {
  const url = await files.link?.(fileKey, untilAt)
  const response = url === undefined ? undefined : await fetch(url, { signal, redirect: 'error' })
  const { body } = response ?? {}
  if (response?.ok && body)
    return {
      size: Number(response.headers.get('content-length') ?? Infinity),
      read: () => body,
      leave: () => body.cancel(),
    }
  await body?.cancel()
  if (response && response.status !== 404) throw new Error(`The file store answers ${response.status}.`)
  return undefined
}
