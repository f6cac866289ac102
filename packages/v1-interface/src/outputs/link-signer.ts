import { fromBase64Url, toBase64Url } from '@genmount/core'

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
   * Makes a token for a URL: `base64url(nonce) . base64url(AES-256-GCM of the link)`. A client that has the token can
   * neither change it nor read the owner from it. The same link always has the same token, so that a browser finds the
   * file in its cache.
   */
  sign(link: SignedLink): Promise<string>
  /** @returns the link, or `undefined` when the token is forged, expired or malformed */
  verify(token: string, now: number): Promise<SignedLink | undefined>
}

/** The keys that are derived from the secret. */
interface Keys {
  /** Encrypts and authenticates the links. */
  readonly sealing: CryptoKey
  /** Makes the nonce of each link. */
  readonly naming: CryptoKey
}

const maxTokenLength = 4096
const utf8 = new TextEncoder()

export function linkSigner(givenSecret: string | Uint8Array | undefined): LinkSigner {
  // The bytes are copied, because the app may later overwrite the array that it has passed.
  let secret =
    typeof givenSecret === 'string' ? utf8.encode(givenSecret) : givenSecret && new Uint8Array(givenSecret)
  let keys: Keys | undefined

  async function secretKeys(): Promise<Keys> {
    // Done here and not at construction, because workerd has no random values outside of a request.
    secret ??= crypto.getRandomValues(new Uint8Array(32))
    const bits = await crypto.subtle.digest('SHA-256', secret)
    const hmac = { name: 'HMAC', hash: 'SHA-256' }
    return (keys ??= {
      sealing: await crypto.subtle.importKey('raw', bits, 'AES-GCM', false, ['encrypt', 'decrypt']),
      naming: await crypto.subtle.importKey('raw', secret, hmac, false, ['sign']),
    })
  }

  return {
    async sign({ fileKey, expiresAt, name, owner, keyId }) {
      const { sealing, naming } = keys ?? (await secretKeys())
      const link = utf8.encode(JSON.stringify([fileKey, expiresAt, name, owner, keyId]))
      // AES-GCM must never encrypt two texts with one nonce. A keyed hash of the text as the nonce is as safe
      // as a random nonce, and is the same for the same text.
      const iv = (await crypto.subtle.sign('HMAC', naming, link)).slice(0, 12)
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, sealing, link)
      return `${toBase64Url(new Uint8Array(iv))}.${toBase64Url(new Uint8Array(sealed))}`
    },

    async verify(token, now) {
      if (token.length > maxTokenLength) return undefined
      const [iv, sealed, ...rest] = token.split('.').map(fromBase64Url)
      if (!iv || !sealed || rest.length > 0) return undefined
      const { sealing } = keys ?? (await secretKeys())
      const opened = crypto.subtle.decrypt({ name: 'AES-GCM', iv }, sealing, sealed)
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
