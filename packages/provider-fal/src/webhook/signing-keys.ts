import { recordOf, vendorClient } from '@genmount/vendor-http'

/** The keys with which fal signs its webhooks. */
export interface SigningKeys {
  /** Whether the signature was made with one of fal's keys. @throws Error when fal's keys cannot be fetched */
  hasSigned(message: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>): Promise<boolean>
}

export interface SigningKeysOptions {
  readonly fetch: typeof globalThis.fetch | undefined
  /** The URL of the JSON Web Key Set (RFC 7517). @default fal's */
  readonly url: string | undefined
  readonly now: () => number
}

/** How long fal allows others to keep its keys: https://docs.fal.ai/model-apis/model-endpoints/webhooks */
const maxAgeMs = 24 * 60 * 60_000
/** The shortest time between two fetches of the keys, so that forged signatures do not cause many requests to fal. */
const fetchPauseMs = 60_000
const fetchTimeoutMs = 2_000

/**
 * Keeps fal's keys for up to a day. When a signature was made with none of them, it fetches them again, because fal may
 * have a new key. It fetches at most once a minute, whether or not the last fetch succeeded. Without keys no signature
 * is accepted.
 */
export function signingKeys(options: SigningKeysOptions): SigningKeys {
  const { fetch, url = 'https://rest.fal.ai/.well-known/jwks.json', now } = options
  const { ask } = vendorClient({ vendor: 'fal', baseUrl: new URL(url).origin, fetch })
  let known: { readonly keys: readonly CryptoKey[]; readonly at: number } | undefined
  let latest: { readonly fetched: Promise<void>; readonly at: number } | undefined

  const isWithin = (ms: number, at: number) => Math.abs(now() - at) <= ms

  async function fetchKeys(at: number): Promise<void> {
    const { status, json } = await ask({
      method: 'GET',
      path: url,
      signal: AbortSignal.timeout(fetchTimeoutMs),
    })
    if (status !== 200) throw new Error(`fal answered with status ${status} to the request for its keys.`)
    const keys = await importKeys(json)
    if (keys.length === 0) throw new Error('The key set of fal contains no usable key.')
    known = { keys, at }
  }

  /** Fetches the keys, or waits for the last fetch if it began less than a minute ago, and shares its failure. */
  function refresh(): Promise<void> {
    const at = now()
    if (!latest || !isWithin(fetchPauseMs, latest.at)) latest = { fetched: fetchKeys(at), at }
    return latest.fetched
  }

  async function hasOneSigned(message: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>) {
    if (!known || !isWithin(maxAgeMs, known.at)) return false
    for (const key of known.keys) {
      if (await crypto.subtle.verify('Ed25519', key, signature, message)) return true
    }
    return false
  }

  return {
    async hasSigned(message, signature) {
      if (await hasOneSigned(message, signature)) return true
      await refresh()
      return hasOneSigned(message, signature)
    },
  }
}

/** The valid Ed25519 keys of the set. Others are left out. */
async function importKeys(jwks: unknown): Promise<CryptoKey[]> {
  const imports = [recordOf(jwks)['keys']].flat().map(async (key) => {
    const { kty, crv, x } = key as JsonWebKey
    return crypto.subtle.importKey('jwk', { kty, crv, x } as JsonWebKey, 'Ed25519', false, ['verify'])
  })
  const imported = await Promise.allSettled(imports)
  return imported.flatMap((key) => (key.status === 'fulfilled' ? [key.value] : []))
}
