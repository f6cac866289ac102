import { retryAfterMs } from '@genmount/client/retry-after'
import type { DeliveryAnswer } from '@genmount/core'
import { isLoopbackAddress, isLoopbackHost } from '@genmount/core/addresses'
import { FetchRefusedError, guardedPost } from '@genmount/guarded-fetch'

/** A function such as `fetch` that posts webhooks. It must not follow redirects when `redirect` is `manual`. */
export type WebhookFetch = (
  url: string,
  init: {
    readonly method: 'POST'
    readonly headers: Record<string, string>
    readonly body: string
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<Response>

/** One webhook to send. */
interface Posting {
  readonly body: string
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
  /** The owner of the job. It is not sent. */
  readonly owner: string
  /** The current instant in milliseconds since the Unix epoch. It is needed to read a date in `Retry-After`. */
  readonly now: number
}

/** Longer than the 15 seconds after which core ends each try by its signal, so this limit never applies first. */
const timeoutMs = 60_000

/** How webhooks are posted. */
interface PostThroughOptions {
  /** Used instead of `post`. */
  readonly fetch?: WebhookFetch | undefined
  /** Whether webhooks to a host of this machine reach it. No other host may lead to this machine. */
  readonly allowLoopback: boolean
  /** @default guardedPost of `@genmount/guarded-fetch` */
  readonly post?: typeof guardedPost
}

/** Makes the function that posts webhooks. */
export function postThrough({
  fetch,
  allowLoopback,
  post: guarded = guardedPost,
}: PostThroughOptions): (url: string, posting: Posting) => Promise<DeliveryAnswer> {
  async function post(
    url: string,
    { body, headers, signal, owner }: Posting,
  ): Promise<Pick<Response, 'status' | 'headers'>> {
    if (!fetch) {
      const isLoopback = allowLoopback && isLoopbackHost(new URL(url).hostname)
      const rule = isLoopback ? { allowAddress: isLoopbackAddress } : {}
      return guarded(url, { body, headers, signal, owner, timeoutMs, ...rule })
    }
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    // Only the status matters. An error while the body is dropped is ignored.
    response.body?.cancel().catch(() => {})
    return response
  }

  return async (url, posting) => {
    try {
      const answer = await post(url, posting)
      return { status: answer.status, retryAfterMs: retryAfterMs(answer, posting.now) }
    } catch (fault) {
      if (fault instanceof FetchRefusedError) return { error: fault.message, isLasting: !fault.retryable }
      return { error: 'The receiver could not be reached, or the connection broke off.' }
    }
  }
}
