import { createHmac, randomUUID } from 'node:crypto'
import type { CallbackRequest } from '@genmount/core'

/**
 * A webhook as vendors send it that follow Standard Webhooks.
 * @param secret `whsec_` and the key in base64
 * @param sentAt in milliseconds since the Unix epoch
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedWebhook(secret: string, value: unknown, sentAt: number): CallbackRequest {
  const body = JSON.stringify(value)
  const id = `msg_${randomUUID()}`
  const timestamp = String(Math.floor(sentAt / 1000))
  const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body: new TextEncoder().encode(body),
  }
}
