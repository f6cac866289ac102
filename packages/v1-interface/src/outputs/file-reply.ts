import {
  filesUnavailable,
  GenerationError,
  type ByteRange,
  type Clock,
  type StoredFile,
} from '@genmount/core'
import type { Exchange } from '../interface/exchange.ts'
import type { V1Reply } from '../interface/v1-request.ts'
import { errorReply } from '../wire/error-reply.ts'
import { byteRange } from './byte-range.ts'
import type { DownloadPlaces } from './download-places.ts'
import { entityTag, isAmong, mayBeRanged } from './entity-tag.ts'
import { fileHeaders } from './file-headers.ts'
import { watchedDownload } from './watched-download.ts'

/** A file to send. */
export interface SentFile {
  /** The owner whose download places it takes. */
  readonly owner: string
  /** The file name for a client that saves it, without extension. */
  readonly name: string
  /** Headers in addition to those of the file itself. */
  readonly headers: Readonly<Record<string, string>>
  /** Opens the file. @returns `undefined` when there is none */
  open(): Promise<StoredFile | undefined>
}

/**
 * Sends a file, or the part of it that the request asks for.
 * @throws GenerationError `file_not_found`, `capacity_exceeded` or `store_unavailable`
 */
export async function fileReply(
  exchange: Exchange,
  { owner, name, headers, open }: SentFile,
  { clock, downloads }: { readonly clock: Clock; readonly downloads: DownloadPlaces },
): Promise<V1Reply> {
  // The place is taken before the file is opened, because an open file already holds a handle.
  const letGo = downloads.take(owner)
  try {
    const file = await open().catch(unreachable)
    if (!file) throw new GenerationError('file_not_found', noSuchFile)
    const send = (range?: ByteRange) => watchedDownload(file.read(range), clock, letGo).catch(unreachable)
    const answer = await reply(file, headers, fileHeaders(name, file.contentType), exchange, send)
    if (!(answer.body instanceof ReadableStream)) letGo()
    return answer
  } catch (error) {
    letGo()
    throw error
  }
}

/** The answer to a link that does not work. */
export const noSuchFile = 'There is no such file, or the link to it has expired.'

async function reply(
  file: StoredFile,
  linkHeaders: Readonly<Record<string, string>>,
  ownHeaders: Readonly<Record<string, string>>,
  { request }: Exchange,
  send: (range?: ByteRange) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>,
): Promise<V1Reply> {
  const { size } = file
  const etag = entityTag(file)
  const headers: Record<string, string> = { ...linkHeaders, ...ownHeaders, 'content-length': String(size) }
  if (etag !== undefined) {
    headers['etag'] = etag
    if (isAmong(etag, request.header('if-none-match')))
      return { status: 304, headers: { ...linkHeaders, etag, 'content-length': String(size) } }
  }
  if (request.method === 'HEAD') return { status: 200, headers }

  const range = mayBeRanged(request.header('if-range'), etag)
    ? byteRange(request.header('range'), size)
    : undefined
  if (range === undefined) return { status: 200, headers, body: await send() }
  if (range === 'unsatisfiable') {
    const error = new GenerationError('range_not_satisfiable', `The file has ${size} bytes.`, {
      param: 'Range',
    })
    return errorReply(error, { 'content-range': `bytes */${size}` })
  }
  headers['content-length'] = String(range.end - range.start + 1)
  headers['content-range'] = `bytes ${range.start}-${range.end}/${size}`
  return { status: 206, headers, body: await send(range) }
}

function unreachable(cause: unknown): never {
  throw filesUnavailable(cause)
}
