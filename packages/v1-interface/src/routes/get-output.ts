import { GenerationError, type ByteRange, type StoredFile } from '@genmount/core'
import type { Answer, Exchange, RouteContext } from '../interface/exchange.ts'
import type { V1Reply } from '../interface/v1-request.ts'
import { byteRange } from '../outputs/byte-range.ts'
import { entityTag, isAmong, mayBeRanged } from '../outputs/entity-tag.ts'
import { fileHeaders } from '../outputs/file-headers.ts'
import type { LinkSigner, SignedLink } from '../outputs/link-signer.ts'
import { watchedDownload } from '../outputs/watched-download.ts'
import { errorReply } from '../wire/error-reply.ts'

/**
 * Lets pages of any origin show the file in an element such as `<img>`, also pages that isolate themselves
 * (`Cross-Origin-Embedder-Policy`), and in apps whose default is `same-origin`, as with helmet. Whoever makes
 * such a page has the link, and could read the file with it.
 */
const shownAnywhere = { 'cross-origin-resource-policy': 'cross-origin' }

const noSuchFile = 'There is no such file, or the link to it has expired.'

/**
 * GET /v1/outputs/{token}: sends the bytes of the file that the token gives access to. It asks for no key.
 */
export function getOutput({ service, options, downloads }: RouteContext, links: LinkSigner): Answer {
  const { files, clock } = service

  return async (exchange) => {
    const link = await links.verify(exchange.params['token'] ?? '', clock.now())
    if (!link || !(await isStillValid(link))) throw new GenerationError('file_not_found', noSuchFile)
    // The place is taken before the file is opened, because an open file already holds a handle.
    const letGo = downloads.take(link.owner)
    try {
      const file = await files.open?.(link.fileKey).catch(unreachable)
      if (!file) throw new GenerationError('file_not_found', noSuchFile)
      const send = (range?: ByteRange) => watchedDownload(file.read(range), clock, letGo).catch(unreachable)
      const headers = { ...shownAnywhere, 'cache-control': cacheControl(link) }
      const answer = await reply(file, headers, fileHeaders(link.name, file.contentType), exchange, send)
      if (!(answer.body instanceof ReadableStream)) letGo()
      return answer
    } catch (error) {
      letGo()
      throw error
    }
  }

  /**
   * How long a browser may show the file without asking again. Caches that several people share, such as that
   * of a proxy, may not keep it.
   */
  function cacheControl({ expiresAt }: SignedLink): string {
    // With `isKeyValid` a link may end at any moment, so the browser must ask each time. If the file has an
    // entity tag, the answer is then a short 304.
    if (options.isKeyValid) return 'private, no-cache'
    return `private, max-age=${Math.floor((expiresAt - clock.now()) / 1000)}, immutable`
  }

  async function isStillValid({ keyId }: SignedLink): Promise<boolean> {
    if (!options.isKeyValid) return true
    return keyId !== undefined && (await options.isKeyValid(keyId))
  }
}

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
  throw new GenerationError('store_unavailable', 'The file store can not be reached. Try again.', { cause })
}
