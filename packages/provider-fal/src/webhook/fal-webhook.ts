import type { CallbackRequest } from '@genmount/core'
import type { SigningKeys } from './signing-keys.ts'

export interface WebhookTrust {
  readonly keys: SigningKeys
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  /** The only user whose webhooks are taken. */
  readonly userId: string | undefined
}

const toleranceMs = 5 * 60_000

/**
 * The body of a webhook that fal has signed, not older and not newer than five minutes. What is signed: request id, user
 * id, Unix seconds and the SHA-256 of the raw body in hex, one to a line.
 * https://docs.fal.ai/model-apis/model-endpoints/webhooks
 * @throws Error that says what is wrong
 */
export async function falWebhook({ headers, body }: CallbackRequest, trust: WebhookTrust): Promise<unknown> {
  const [requestId, userId, timestamp, signature] = ['request-id', 'user-id', 'timestamp', 'signature'].map(
    (name) => headers[`x-fal-webhook-${name}`] ?? '',
  ) as [string, string, string, string]
  if (!requestId || !userId || !/^\d{1,12}$/.test(timestamp) || !/^[\da-f]{128}$/i.test(signature))
    throw new Error('The webhook is not signed as those of fal are.')
  if (Math.abs(trust.now - Number(timestamp) * 1000) > toleranceMs)
    throw new Error('The webhook is too old, or from the future.')
  if (trust.userId !== undefined && userId !== trust.userId)
    throw new Error('The webhook is one of another user of fal.')
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(body))
  const message = [requestId, userId, timestamp, hexOf(new Uint8Array(digest))].join('\n')
  if (!(await trust.keys.hasSigned(new TextEncoder().encode(message), bytesOf(signature))))
    throw new Error('The webhook has a signature that none of the keys of fal has made.')
  return JSON.parse(new TextDecoder().decode(body))
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
