import type { CallbackRequest } from '@genmount/core'
import { checkWebhookAge, hexBytes, recordOf, webhookJson } from '@genmount/vendor-http'

/** Which webhooks are accepted. */
export interface WebhookTrust {
  readonly secret: string
  /** The current instant in milliseconds since the Unix epoch. */
  readonly now: number
}

/**
 * Checks that a webhook was signed with our secret: `X-BFL-Signature` is `sha256=` and the HMAC-SHA256 of the raw body
 * in hex. The signed body has a `timestamp`, which must lie at most five minutes before or after now.
 * black-forest-labs/skills@d0793c8 (2026-02-03), skills/bfl-api/references/webhook-integration.md
 * @returns the body, parsed
 * @throws Error that says what is wrong with the webhook
 */
export async function bflWebhook({ headers, body }: CallbackRequest, trust: WebhookTrust): Promise<unknown> {
  const [, hex] = /^sha256=(.*)$/i.exec(headers['x-bfl-signature'] ?? '') ?? []
  const signature = hexBytes(hex, 32)
  if (!signature) throw new Error('The webhook lacks the header with which Black Forest Labs signs.')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const secret = new TextEncoder().encode(trust.secret)
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify'])
  // `verify` compares in constant time.
  if (!(await crypto.subtle.verify('HMAC', key, signature, new Uint8Array(body))))
    throw new Error('The webhook has a signature that was not made with our secret.')
  const json = webhookJson(body)
  const { timestamp } = recordOf(json)
  if (timestamp !== undefined)
    checkWebhookAge(String(Math.floor(Date.parse(String(timestamp)) / 1000)), trust.now)
  return json
}
