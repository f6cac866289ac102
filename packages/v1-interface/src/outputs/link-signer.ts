/** What a link gives access to. */
export interface SignedLink {
  readonly fileKey: string
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number
  /** What a downloaded file is called, without extension. */
  readonly name: string
}

export interface LinkSigner {
  /** A token for a URL: `base64url(link) . base64url(HMAC-SHA256 of the former)`. */
  sign(link: SignedLink): Promise<string>
  /** What the token stands for, or `undefined` when it is forged, expired, or no token. */
  verify(token: string, now: number): Promise<SignedLink | undefined>
}

const maxTokenLength = 4096
const hmacSha256 = { name: 'HMAC', hash: 'SHA-256' }
const utf8 = new TextEncoder()

export function linkSigner(givenSecret: string | Uint8Array | undefined): LinkSigner {
  // A copy: whoever gave the bytes may wipe them or use them again.
  let secret =
    typeof givenSecret === 'string' ? utf8.encode(givenSecret) : givenSecret && new Uint8Array(givenSecret)
  let key: CryptoKey | undefined

  async function signature(payload: string): Promise<string> {
    // Not at construction: workerd gives no randomness outside a request.
    secret ??= crypto.getRandomValues(new Uint8Array(32))
    key ??= await crypto.subtle.importKey('raw', secret, hmacSha256, false, ['sign'])
    return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(payload))))
  }

  return {
    async sign({ fileKey, expiresAt, name }) {
      const payload = toBase64Url(utf8.encode(JSON.stringify([fileKey, expiresAt, name])))
      return `${payload}.${await signature(payload)}`
    },

    async verify(token, now) {
      if (token.length > maxTokenLength) return undefined
      const [payload = '', given = '', ...rest] = token.split('.')
      if (rest.length > 0 || !isSame(given, await signature(payload))) return undefined
      const [fileKey, expiresAt, name] = JSON.parse(fromBase64Url(payload)) as [string, number, string]
      return now < expiresAt ? { fileKey, expiresAt, name } : undefined
    },
  }
}

/** Compares text, not decoded bytes, of which several texts are an encoding. */
function isSame(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let i = 0; i < expected.length; i++) difference |= given.charCodeAt(i) ^ expected.charCodeAt(i)
  return difference === 0
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(
    /[+/=]/g,
    (character) => ({ '+': '-', '/': '_' })[character] ?? '',
  )
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
}
