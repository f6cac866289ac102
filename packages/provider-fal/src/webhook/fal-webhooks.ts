import { type CallbackRequest, sha256Hex } from '@genmount/core'
import { webhook } from '@genmount/provider-kit'
import type { CheckedFalOptions } from '../provider/fal-options.ts'
import { publishedKeys } from './published-keys.ts'

/** How long fal's keys may be cached, in milliseconds: https://docs.fal.ai/model-apis/model-endpoints/webhooks */
const maxAgeMs = 24 * 60 * 60_000

/**
 * Makes the function that checks that a webhook was signed by fal, at most five minutes before or after now. The signed
 * text has four lines: request id, user id, Unix seconds, and the SHA-256 of the raw body in hex.
 * https://docs.fal.ai/model-apis/model-endpoints/webhooks
 * @returns a function that returns the body, parsed, or throws an Error that says what is wrong with the webhook
 */
export function falWebhooks(options: CheckedFalOptions): (request: CallbackRequest) => Promise<unknown> {
  const { fetch, jwksUrl: url, now, webhookUserId } = options
  const hasSigned = publishedKeys({ vendor: 'fal', url, maxAgeMs, fetch, now })

  return async ({ headers, body }) => {
    const names = ['request-id', 'user-id', 'timestamp', 'signature'].map((name) => `x-fal-webhook-${name}`)
    const [requestId, userId, timestamp = '', hex] = names.map((name) => headers[name])
    const signature = webhook.hexBytes(hex, 64)
    if (!requestId || !userId || !signature)
      throw new Error('The webhook lacks the headers with which fal signs.')
    webhook.checkAge(timestamp, now())
    if (webhookUserId !== undefined && userId !== webhookUserId)
      throw new Error('The webhook was signed for another user of fal.')
    const text = [requestId, userId, timestamp, await sha256Hex(new Uint8Array(body))].join('\n')
    if (!(await hasSigned(new TextEncoder().encode(text), signature)))
      throw new Error('The signature of the webhook fits none of the keys of fal.')
    return webhook.json(body)
  }
}
