import type { DeliveryAnswer } from '@genmount/core'
import { FetchRefusedError, guardedPost } from '@genmount/guarded-fetch'
import { retryAfterMs } from './retry-after-ms.ts'

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

/** What is posted. */
interface Posting {
  readonly body: string
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
  /** Whose webhook it is. It is not sent. */
  readonly owner: string
  /** The current instant, against which a date in `Retry-After` counts. */
  readonly now: number
}

/** No limit of its own: core ends a try after 15 seconds by its signal. */
const timeoutMs = 60_000

/** Makes the function that posts. @param fetch sends in place of `guardedPost` */
export function postThrough(
  fetch: WebhookFetch | undefined,
): (url: string, posting: Posting) => Promise<DeliveryAnswer> {
  async function post(
    url: string,
    { body, headers, signal, owner }: Posting,
  ): Promise<Pick<Response, 'status' | 'headers'>> {
    if (!fetch) return guardedPost(url, { body, headers, signal, owner, timeoutMs })
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    // The status counts, whatever becomes of the body.
    response.body?.cancel().catch(() => {})
    return response
  }

  return async (url, posting) => {
    try {
      const { status, headers } = await post(url, posting)
      return { status, retryAfterMs: retryAfterMs(headers.get('retry-after'), posting.now) }
    } catch (fault) {
      if (fault instanceof FetchRefusedError) return { error: fault.message, isLasting: !fault.retryable }
      return { error: 'The receiver could not be reached, or the connection broke off.' }
    }
  }
}
