import { recordOf, vendorClient } from '@genmount/vendor-http'

/** The keys that fal signs webhooks with. */
export interface SigningKeys {
  /** Whether one of fal's keys has made the signature. @throws Error when fal's keys cannot be had */
  hasSigned(message: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>): Promise<boolean>
}

export interface SigningKeysOptions {
  readonly fetch: typeof globalThis.fetch | undefined
  /** Where there is a JSON Web Key Set (RFC 7517). @default fal's */
  readonly url: string | undefined
  readonly now: () => number
}

/** fal's limit for a copy of its keys, https://docs.fal.ai/model-apis/model-endpoints/webhooks */
const maxAgeMs = 24 * 60 * 60_000
/** So that forged signatures do not make us flood fal. */
const fetchPauseMs = 60_000
const fetchTimeoutMs = 2_000

/**
 * Keeps fal's keys for up to a day, and fetches them again for a signature that none of them made: fal may have a new
 * one. At most one fetch a minute, whatever comes in and whether or not it succeeds. No key, no trust.
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
    if (status !== 200) throw new Error(`fal answered with status ${status} when asked for its keys.`)
    const keys = await importKeys(json)
    if (keys.length === 0) throw new Error('fal publishes no key that could be read.')
    known = { keys, at }
  }

  /** Joins the latest fetch where it was not long ago, its failure too. */
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

/** Those of the keys that are ED25519 and whole. */
async function importKeys(jwks: unknown): Promise<CryptoKey[]> {
  const imports = [recordOf(jwks)['keys']].flat().map(async (key) => {
    const { kty, crv, x } = key as JsonWebKey
    return crypto.subtle.importKey('jwk', { kty, crv, x } as JsonWebKey, 'Ed25519', false, ['verify'])
  })
  const imported = await Promise.allSettled(imports)
  return imported.flatMap((key) => (key.status === 'fulfilled' ? [key.value] : []))
}
