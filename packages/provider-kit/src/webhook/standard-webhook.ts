import { fromBase64 } from '@genmount/core'
import { checkWebhookAge } from './check-webhook-age.ts'

/**
 * A webhook that is signed by the Standard Webhooks specification.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export interface StandardWebhook {
  /** The signing secret: the key in base64, with or without `whsec_` before it. */
  readonly secret: string
  /** The headers of the request. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body of the request, byte for byte as it arrived. */
  readonly body: Uint8Array
  /** The current instant in milliseconds since the Unix epoch. */
  readonly now: number
}

/**
 * Checking one signature hashes the whole body, so the number is limited. A vendor that is changing its key sends two.
 */
const maxSignatures = 10

/**
 * Checks that a webhook is genuine: its timestamp is at most five minutes before or after now, and one of its first ten
 * signatures is a correct `v1` signature (HMAC-SHA256). It resolves when the webhook is genuine.
 * @throws Error that says what is wrong with the webhook
 * @throws TypeError when the secret is not base64
 */
export async function standardWebhook({ secret, headers, body, now }: StandardWebhook): Promise<void> {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp'] ?? ''
  if (!id) throw new Error('The webhook has no id.')
  checkWebhookAge(timestamp, now)
  const key = await hmacKey(secret)
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.byteLength + body.byteLength)
  signed.set(head)
  signed.set(body, head.byteLength)
  for (const entry of (headers['webhook-signature'] ?? '').split(' ', maxSignatures)) {
    const signature = entry.startsWith('v1,') ? fromBase64(entry.slice('v1,'.length)) : undefined
    // `verify` compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return
  }
  throw new Error('The webhook has no signature that was made with our secret.')
}

function hmacKey(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!bytes || bytes.byteLength === 0)
    throw new TypeError('A webhook secret must be a key in base64, with or without whsec_ before it.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}
