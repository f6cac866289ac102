import { fromBase64, toBase64 } from '@genmount/core'

/** The message to sign. */
export interface SignedMessage {
  readonly id: string
  /** The instant of the try, in milliseconds since the Unix epoch. */
  readonly at: number
  readonly body: string
  readonly secrets: readonly string[]
}

const prefix = 'whsec_'
const keyBytes = { least: 24, most: 64 }

/**
 * The headers of a webhook by Standard Webhooks 1.0.0, with one signature for each secret.
 * @throws TypeError when a secret has the wrong form. The message does not contain the secret
 */
export async function signedHeaders({
  id,
  at,
  body,
  secrets,
}: SignedMessage): Promise<Record<string, string>> {
  const timestamp = `${Math.floor(at / 1000)}`
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signatures = await Promise.all(secrets.map(async (secret) => `v1,${await signature(secret, signed)}`))
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

async function signature(secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
  return toBase64(bytes)
}

function keyOf(secret: unknown): Uint8Array<ArrayBuffer> {
  const key =
    typeof secret === 'string' && secret.startsWith(prefix) && fromBase64(secret.slice(prefix.length))
  if (key && key.length >= keyBytes.least && key.length <= keyBytes.most) return key
  throw new TypeError(
    `signedWebhooks: secretsOf must give secrets of ${prefix} and the base64 of ${keyBytes.least} to ${keyBytes.most} bytes.`,
  )
}
