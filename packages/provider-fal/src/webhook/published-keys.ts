import { recordOf, vendorClient } from '@genmount/provider-kit'

/** The place at which a vendor publishes its signing keys. */
export interface PublishedKeysOptions {
  /** The vendor's name, for error messages. */
  readonly vendor: string
  /** The URL of the JSON Web Key Set (RFC 7517). Only its keys for Ed25519 are used. */
  readonly url: string
  /** For how long the keys may be kept, in milliseconds. */
  readonly maxAgeMs: number
  /** The function that sends the request, which has no credentials. @default the runtime's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Returns the current instant in milliseconds since the Unix epoch. */
  readonly now: () => number
}

/**
 * Returns whether a message was signed with one of the vendor's keys.
 * @throws Error when the keys cannot be fetched
 */
export type HasSigned = (
  message: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
) => Promise<boolean>

/** The shortest time between two fetches, so that forged signatures do not cause many requests to the vendor. */
const fetchPauseMs = 60_000
const fetchTimeoutMs = 2_000
/** The most keys of a set that are used, because each of them is tried. */
const maxKeys = 100

/**
 * Makes the function that verifies signatures by the keys that a vendor publishes. It keeps the keys. When no key fits
 * a signature, it fetches them again, because the vendor may have a new key. It fetches at most once a minute, whether
 * or not the last fetch succeeded, and waits for two seconds at most. Without keys no signature is accepted. It starts
 * nothing before the first signature.
 */
export function publishedKeys(options: PublishedKeysOptions): HasSigned {
  const { vendor, url: path, maxAgeMs, fetch, now } = options
  const { ask } = vendorClient({ vendor, baseUrl: new URL(path).origin, fetch })
  let cached: { readonly keys: readonly CryptoKey[]; readonly at: number } | undefined
  let latest: { readonly fetched: Promise<void>; readonly at: number } | undefined

  const isWithin = (ms: number, at: number) => Math.abs(now() - at) <= ms

  async function fetchKeys(at: number): Promise<void> {
    const { status, json } = await ask({ method: 'GET', path, signal: AbortSignal.timeout(fetchTimeoutMs) })
    if (status !== 200)
      throw new Error(`${vendor} answered with status ${status} to the request for its keys.`)
    const keys = await importKeys(json)
    if (keys.length === 0) throw new Error(`The key set of ${vendor} contains no usable key.`)
    cached = { keys, at }
  }

  /** Fetches the keys, or waits for the last fetch if it began less than a minute ago, and shares its failure. */
  function refresh(): Promise<void> {
    const at = now()
    if (!latest || !isWithin(fetchPauseMs, latest.at)) latest = { fetched: fetchKeys(at), at }
    return latest.fetched
  }

  const isKnown: HasSigned = async (message, signature) => {
    if (!cached || !isWithin(maxAgeMs, cached.at)) return false
    for (const key of cached.keys) {
      if (await crypto.subtle.verify('Ed25519', key, signature, message)) return true
    }
    return false
  }

  return async (message, signature) => {
    if (await isKnown(message, signature)) return true
    await refresh()
    return isKnown(message, signature)
  }
}

/** The valid Ed25519 keys among the first of the set. Others are left out. */
async function importKeys(jwks: unknown): Promise<CryptoKey[]> {
  const imports = [recordOf(jwks)['keys']]
    .flat()
    .slice(0, maxKeys)
    .map(async (key) => {
      const { kty, crv, x } = key as JsonWebKey
      return crypto.subtle.importKey('jwk', { kty, crv, x } as JsonWebKey, 'Ed25519', false, ['verify'])
    })
  const imported = await Promise.allSettled(imports)
  return imported.flatMap((key) => (key.status === 'fulfilled' ? [key.value] : []))
}
