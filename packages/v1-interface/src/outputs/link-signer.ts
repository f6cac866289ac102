/** The file that a link gives access to. */
export interface SignedLink {
  readonly fileKey: string
  /** When the link stops working, in milliseconds since the Unix epoch. */
  readonly expiresAt: number
  /** The name of the downloaded file, without extension. */
  readonly name: string
  /** The hash of the owner's name. The name itself may be so long that the link would become too long. */
  readonly owner: string
  /** The id of the key that the link was made with. Only with the option `isKeyValid`. */
  readonly keyId?: string | undefined
}

export interface LinkSigner {
  /**
   * Makes a token for a URL: `base64url(nonce) . base64url(AES-256-GCM of the link)`. Nobody who has the
   * token can change it or read from it whose file it is.
   */
  sign(link: SignedLink): Promise<string>
  /** @returns the link, or `undefined` when the token is forged, expired or malformed */
  verify(token: string, now: number): Promise<SignedLink | undefined>
}

const maxTokenLength = 4096
const utf8 = new TextEncoder()

export function linkSigner(givenSecret: string | Uint8Array | undefined): LinkSigner {
  // The bytes are copied, because the app may later overwrite the array that it has passed.
  let secret =
    typeof givenSecret === 'string' ? utf8.encode(givenSecret) : givenSecret && new Uint8Array(givenSecret)
  let key: CryptoKey | undefined

  async function secretKey(): Promise<CryptoKey> {
    // Done here and not at construction, because workerd gives no random values outside of a request.
    secret ??= crypto.getRandomValues(new Uint8Array(32))
    const bits = await crypto.subtle.digest('SHA-256', secret)
    return (key ??= await crypto.subtle.importKey('raw', bits, 'AES-GCM', false, ['encrypt', 'decrypt']))
  }

  return {
    async sign({ fileKey, expiresAt, name, owner, keyId }) {
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const link = utf8.encode(JSON.stringify([fileKey, expiresAt, name, owner, keyId]))
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key ?? (await secretKey()), link)
      return `${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`
    },

    async verify(token, now) {
      if (token.length > maxTokenLength) return undefined
      const [iv, sealed, ...rest] = token.split('.').map(fromBase64Url)
      if (!iv || !sealed || rest.length > 0) return undefined
      const opened = crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key ?? (await secretKey()), sealed)
      const link = await opened.catch(() => undefined)
      if (!link) return undefined
      const [fileKey, expiresAt, name, owner, keyId] = JSON.parse(new TextDecoder().decode(link)) as [
        string,
        number,
        string,
        string,
        string | null,
      ]
      return now < expiresAt ? { fileKey, expiresAt, name, owner, keyId: keyId ?? undefined } : undefined
    },
  }
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(
    /[+/=]/g,
    (character) => ({ '+': '-', '/': '_' })[character] ?? '',
  )
}

/** @returns `undefined` for text that is not exactly what `toBase64Url` would give for the same bytes */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return toBase64Url(bytes) === text ? bytes : undefined
}
