import { createLookUp } from '../lookup/look-up.ts'
import { checkUrl } from '../rules/url-rules.ts'
import { type GuardedFetchOptions, readFetchOptions } from './fetch-options.ts'
import { openResponse, type Network } from './open-response.ts'
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

/**
 * Posts to a URL from an untrusted source. It refuses the same URLs and addresses as `guardedFetch`, follows no
 * redirect, and uses no proxy. Any status is an answer. At most 16 kB of the answer's body are read, and dropped.
 * @throws FetchRefusedError when there is no answer: `bad_url`, `scheme`, `port`, `address`, `timeout` or `network`
 * @throws TypeError when an option is wrong
 * @throws the reason of `signal`, when `signal` aborts before there is an answer
 * @example const { status } = await guardedPost(url, { body: '{}', headers: { 'content-type': 'application/json' } })
 */
export const guardedPost: GuardedPost = createGuardedPost({ lookUp: createLookUp() })

/** `guardedPost` with another network, for tests. */
export function createGuardedPost(network: Network): GuardedPost {
  return async (address, { body, ...options }) => {
    const { allowAddress, headers, owner, timeoutMs, signal } = readFetchOptions(options, 'guardedPost')
    if (typeof body !== 'string' && !(body instanceof Uint8Array))
      throw new TypeError('body must be a string or a Uint8Array')
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const transfer = beginTransfer(timeoutMs, signal)
    try {
      const url = checkUrl(address, allowAddress)
      transfer.signal.throwIfAborted()
      const stop = transfer.signal
      const response = await openResponse(network, { url, headers, body: bytes, allowAddress, stop, owner })
      const answered = new Headers()
      for (const [name, values = []] of Object.entries(response.headersDistinct))
        for (const value of values) answered.append(name, value)
      await drop(response)
      return { status: response.statusCode ?? 0, headers: answered }
    } catch (error) {
      throw transfer.fail(error)
    } finally {
      transfer.fail(new Error('The post is over.'))
    }
  }
}

/** Reads the beginning of the body, because a server whose answer is cut off may count the request as failed. */
async function drop(body: AsyncIterable<Uint8Array> & { destroy(): void }): Promise<void> {
  const timer = setTimeout(() => body.destroy(), maxReadMs)
  let received = 0
  try {
    for await (const chunk of body) if ((received += chunk.byteLength) > maxReadBytes) break
  } catch {
    // The status counts, even if reading the body fails.
  } finally {
    clearTimeout(timer)
  }
}
