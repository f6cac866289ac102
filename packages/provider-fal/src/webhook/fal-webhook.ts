import { Buffer } from 'node:buffer'
import type { CallbackRequest } from '@genmount/core'
import { checkWebhookAge } from '@genmount/vendor-http'
import type { SigningKeys } from './signing-keys.ts'

/** Which webhooks are accepted. */
export interface WebhookTrust {
  readonly keys: SigningKeys
  /** The current instant in milliseconds since the Unix epoch. */
  readonly now: number
  /** The only user whose webhooks are accepted. `undefined` accepts those of all users. */
  readonly userId: string | undefined
}

/**
 * Checks that a webhook was signed by fal, at most five minutes before or after now. The signed text has four lines:
 * request id, user id, Unix seconds, and the SHA-256 of the raw body in hex.
 * https://docs.fal.ai/model-apis/model-endpoints/webhooks
 * @returns the body, parsed
 * @throws Error that says what is wrong with the webhook
 */
export async function falWebhook({ headers, body }: CallbackRequest, trust: WebhookTrust): Promise<unknown> {
  const header = (name: string) => headers[`x-fal-webhook-${name}`] ?? ''
  const [requestId, userId, timestamp, signature] = [
    header('request-id'),
    header('user-id'),
    header('timestamp'),
    header('signature'),
  ]
  if (!requestId || !userId || !/^[\da-f]{128}$/i.test(signature))
    throw new Error('The webhook lacks the headers with which fal signs.')
  checkWebhookAge(timestamp, trust.now)
  if (trust.userId !== undefined && userId !== trust.userId)
    throw new Error('The webhook was signed for another user of fal.')
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(body))).toString('hex')
  const message = new TextEncoder().encode([requestId, userId, timestamp, digest].join('\n'))
  if (!(await trust.keys.hasSigned(message, Uint8Array.from(Buffer.from(signature, 'hex')))))
    throw new Error('The webhook has a signature that was made with none of the keys of fal.')
  return JSON.parse(new TextDecoder().decode(body))
}
