import { toBase64Url } from '@genmount/core'

/** The two keys of accounts that were opened before Kling had API keys. */
export interface KlingAccessKeys {
  /** The public one, which names the account. */
  readonly accessKey: string
  /** The secret one, which signs. It never leaves this process. */
  readonly secretKey: string
}

/** Kling's own example has the same times. A token is made for each request, so the time only covers clocks that differ. */
const validSeconds = 1800
const earlierSeconds = 5

/**
 * Makes the token of one request: a JSON Web Token that is signed with HS256, by the runtime's WebCrypto.
 * @see https://kling.ai/document-api/api/get-started/authentication
 * @param now the current instant in milliseconds since the Unix epoch
 */
export async function klingAccessToken(
  { accessKey, secretKey }: KlingAccessKeys,
  now: number,
): Promise<string> {
  const seconds = Math.floor(now / 1000)
  const claims = { iss: accessKey, exp: seconds + validSeconds, nbf: seconds - earlierSeconds }
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => toBase64Url(bytesOf(JSON.stringify(part))))
    .join('.')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(secretKey), algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, bytesOf(signed))
  return `${signed}.${toBase64Url(new Uint8Array(signature))}`
}

function bytesOf(text: string) {
  return new TextEncoder().encode(text)
}
