import { checkWebhookAge } from './webhook-age.ts'

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export interface StandardWebhook {
  /** `whsec_` and the key in base64. */
  readonly secret: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** As it came, byte for byte. */
  readonly body: Uint8Array
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

/** Each of them takes a hash of the whole body; a vendor that changes its key sends two. */
const maxSignatures = 10

/**
 * Resolves when the webhook is genuine and at most five minutes away from now: one of its
 * first ten signatures is a right `v1` one (HMAC-SHA256).
 * @throws Error that says what is wrong
 */
export async function standardWebhook(webhook: StandardWebhook): Promise<void> {
  const { secret, headers, body, now } = webhook
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
    const signature = entry.startsWith('v1,') ? bytesIn(entry.slice('v1,'.length)) : undefined
    // Compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return
  }
  throw new Error('The webhook has no signature of ours.')
}

function hmacKey(secret: string): Promise<CryptoKey> {
  const bytes = bytesIn(secret.replace(/^whsec_/, ''))
  if (!bytes || bytes.byteLength === 0)
    throw new TypeError('A webhook secret must be base64, after whsec_ where that is there.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesIn(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
