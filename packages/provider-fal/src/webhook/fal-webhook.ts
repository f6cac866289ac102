import { Buffer } from 'node:buffer'
import type { CallbackRequest } from '@genmount/core'
import { checkWebhookAge } from '@genmount/vendor-http'
import type { SigningKeys } from './signing-keys.ts'

export interface WebhookTrust {
  readonly keys: SigningKeys
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  /** The only user whose webhooks are taken. */
  readonly userId: string | undefined
}

/**
 * The body of a webhook that fal has signed, not older and not newer than five minutes. What is signed: request id, user
 * id, Unix seconds and the SHA-256 of the raw body in hex, one to a line.
 * https://docs.fal.ai/model-apis/model-endpoints/webhooks
 * @throws Error that says what is wrong
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
    throw new Error('The webhook is not signed as those of fal are.')
  checkWebhookAge(timestamp, trust.now)
  if (trust.userId !== undefined && userId !== trust.userId)
    throw new Error('The webhook is one of another user of fal.')
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(body))).toString('hex')
  const message = new TextEncoder().encode([requestId, userId, timestamp, digest].join('\n'))
  if (!(await trust.keys.hasSigned(message, Uint8Array.from(Buffer.from(signature, 'hex')))))
    throw new Error('The webhook has a signature that none of the keys of fal has made.')
  return JSON.parse(new TextDecoder().decode(body))
}
