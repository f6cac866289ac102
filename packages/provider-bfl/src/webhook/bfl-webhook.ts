import type { CallbackRequest } from '@genmount/core'
import { recordOf, webhook } from '@genmount/provider-kit'

/** Which webhooks are accepted. */
export interface WebhookTrust {
  readonly secret: string
  /** The current instant in milliseconds since the Unix epoch. */
  readonly now: number
}

/**
 * Checks that a webhook proves that its sender knows our secret. BFL's API reference does not say how, and its guides
 * differ, so there are two ways:
 *
 * - `X-BFL-Signature` is `sha256=` and the HMAC-SHA256 of the raw body in hex: black-forest-labs/skills@d0793c8
 *   (2026-02-03), skills/bfl-api/references/webhook-integration.md
 * - `X-Webhook-Secret` is the secret: @ai-sdk/black-forest-labs 2.0.41, docs/12-black-forest-labs.mdx (November 2026). It
 *   counts only without a signature.
 *
 * If the body has a `timestamp`, it must lie at most five minutes before or after now.
 * @returns the body, parsed
 * @throws Error that says what is wrong with the webhook
 */
export async function bflWebhook({ headers, body }: CallbackRequest, trust: WebhookTrust): Promise<unknown> {
  const { 'x-bfl-signature': signed, 'x-webhook-secret': secretHeader } = headers
  const secret = new TextEncoder().encode(trust.secret)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign', 'verify'])
  const isShown = signed === undefined && secretHeader !== undefined
  const [, hex] = /^sha256=(.*)$/i.exec(signed ?? '') ?? []
  const signature = isShown
    ? await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(secretHeader))
    : webhook.hexBytes(hex, 32)
  if (!signature) throw new Error('The webhook lacks the header with which Black Forest Labs signs.')
  // `verify` compares in constant time.
  if (!(await crypto.subtle.verify('HMAC', key, signature, isShown ? secret : new Uint8Array(body))))
    throw new Error('The webhook has a signature that was not made with our secret.')
  const json = webhook.json(body)
  const { timestamp } = recordOf(json)
  if (timestamp !== undefined)
    webhook.checkAge(String(Math.floor(Date.parse(String(timestamp)) / 1000)), trust.now)
  return json
}
