import { text } from '@genmount/core'
import { callbackNews } from './callback-news.ts'
import { checkWebhookAge } from './check-webhook-age.ts'
import { hexBytes } from './hex-bytes.ts'
import { standardWebhook } from './standard-webhook.ts'
import { webhookClock } from './webhook-clock.ts'
import { webhookJson } from './webhook-json.ts'

/**
 * Reads webhooks of a vendor that signs them by rules of its own, or by the Standard Webhooks specification.
 * @example
 * async readCallback({ headers, body }, task) {
 *   webhook.checkAge(headers['acme-timestamp'] ?? '', now())
 *   if (!(await isSigned(headers, body))) throw new Error('The webhook has a wrong signature.')
 *   const payload = webhook.json(body)
 *   return webhook.news(handleIn(payload), () => reportOf(payload, task))
 * }
 */
export const webhook = {
  /** The check of the option `now`, for the table of a provider's options. */
  options: webhookClock,
  /** The check of the option `webhookSecret` of a vendor that signs its webhooks by the Standard Webhooks specification. */
  secret: text('whsec_ followed by a key in base64', /^whsec_[A-Za-z0-9+/]+=*$/),
  /** Refuses a webhook that is more than five minutes old, or dated more than five minutes ahead. */
  checkAge: checkWebhookAge,
  /** Verifies a webhook that is signed by the Standard Webhooks specification. */
  standard: standardWebhook,
  /** The bytes of a signature in hexadecimal. */
  hexBytes,
  /** Parses the body. Check the signature first. */
  json: webhookJson,
  /** What `readCallback` returns: the handle and, if the task has ended, the report. */
  news: callbackNews,
}
