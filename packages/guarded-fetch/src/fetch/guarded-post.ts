import { checkUrl } from '../rules/url-rules.ts'
import { type GuardedFetchOptions, readFetchOptions } from './fetch-options.ts'
import type { OpenedResponse, OpenHop } from './open-hop.ts'
import { beginTransfer } from './transfer.ts'

/** The body of a post, and its limits. */
export interface GuardedPostOptions extends Pick<
  GuardedFetchOptions,
  'timeoutMs' | 'signal' | 'owner' | 'allowAddress' | 'headers'
> {
  /** The body. A text is sent as UTF-8. */
  readonly body: string | Uint8Array
}

/** The head of an answer. */
export interface GuardedAnswer {
  /** The HTTP status. A redirect is an answer like any other: it is not followed. */
  readonly status: number
  /** The headers. */
  readonly headers: Headers
}

/** The type of `guardedPost`, for packages that accept it as an option. */
export type GuardedPost = (url: string | URL, options: GuardedPostOptions) => Promise<GuardedAnswer>

/** How many bytes of an answer's body are read and dropped before the connection is closed. */
const maxReadBytes = 16 * 1024
/** For how many milliseconds these bytes are read, after the head of the answer has arrived. */
const maxReadMs = 1000

/** `guardedPost` on a runtime that sends requests by `open`. */
export function guardedPostBy(open: OpenHop): GuardedPost {
  return async (address, { body, ...options }) => {
    const { allowAddress, headers, owner, timeoutMs, signal } = readFetchOptions(options, 'guardedPost')
    if (typeof body !== 'string' && !(body instanceof Uint8Array))
      throw new TypeError('body must be a string or a Uint8Array')
    const bytes =
      typeof body === 'string' ? new TextEncoder().encode(body) : (body as Uint8Array<ArrayBuffer>)
    const transfer = beginTransfer(timeoutMs, signal)
    try {
      const url = checkUrl(address, allowAddress)
      transfer.signal.throwIfAborted()
      const stop = transfer.signal
      const response = await open({ url, headers, body: bytes, allowAddress, stop, owner })
      const answer = { status: response.status, headers: response.headers() }
      await drop(response)
      return answer
    } catch (error) {
      throw transfer.fail(error)
    } finally {
      transfer.fail(new Error('The post is over.'))
    }
  }
}

/** Reads the beginning of the body, because a server whose answer is cut off may count the request as failed. */
async function drop(response: OpenedResponse): Promise<void> {
  const timer = setTimeout(() => response.close(), maxReadMs)
  const chunks = response.chunks(false)
  let received = 0
  try {
    for (let read = await chunks.next(); !read.done; read = await chunks.next())
      if ((received += read.value.byteLength) > maxReadBytes) break
  } catch {
    // The status counts, even if reading the body fails.
  } finally {
    clearTimeout(timer)
    response.close()
  }
}
