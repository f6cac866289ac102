import type { CallbackRequest } from '@genmount/core'
import { webhook } from '@genmount/provider-kit'

/**
 * Checks that a webhook was signed by OpenRouter, at most five minutes before or after now, and parses its body. The
 * header `X-OpenRouter-Signature: t=1234567890,v1=…` has an HMAC-SHA256 in hex over the seconds, a comma and the raw body.
 * @see https://openrouter.ai/docs/guides/overview/multimodal/video-generation#verifying-signatures
 * @param now the current instant in milliseconds since the Unix epoch
 * @throws Error that says what is wrong with the webhook
 */
export async function openrouterWebhook(
  { headers, body }: CallbackRequest,
  secret: string,
  now: number,
): Promise<unknown> {
  const parts = (headers['x-openrouter-signature'] ?? '').split(',').map((part) => part.trim())
  const valueOf = (name: string) => parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1)
  const timestamp = valueOf('t') ?? ''
  const signature = webhook.hexBytes(valueOf('v1'), 32)
  if (!signature) throw new Error('The webhook has no signature of OpenRouter.')
  webhook.checkAge(timestamp, now)
  const head = new TextEncoder().encode(`${timestamp},`)
  const signed = new Uint8Array(head.byteLength + body.byteLength)
  signed.set(head)
  signed.set(body, head.byteLength)
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  // `verify` compares in constant time.
  if (await crypto.subtle.verify('HMAC', key, signature, signed)) return webhook.json(body)
  throw new Error('The webhook has no signature that was made with our secret.')
}
