import type { Authenticate, Identity } from '../interface/v1-options.ts'
import { isBearerToken } from './bearer-token.ts'

/**
 * The ready-made `authenticate`: knows each owner by one or more keys. Compares hashes, and takes the same time over
 * every wrong token of one length, whichever key it is like.
 * @throws TypeError for a key that is missing, is no bearer token (RFC 6750 section 2.1) or is given twice. The message
 * names the owner and never shows a key.
 * @example apiKeys({ alice: process.env.ALICE_KEY, bob: ['old-key', 'new-key'] })
 */
export function apiKeys(
  keys: Readonly<Record<string, string | readonly string[] | undefined>>,
): Authenticate {
  const known: { readonly identity: Identity; readonly key: string; digest?: Uint32Array }[] = []
  const seen = new Set<string>()
  for (const [owner, given] of Object.entries(keys)) {
    const ownKeys = Array.isArray(given) ? given : [given]
    if (owner === '' || ownKeys.length === 0)
      throw new TypeError(`apiKeys: owner "${owner}" needs a name and a key.`)
    for (const key of ownKeys) {
      if (key === undefined) throw new TypeError(`apiKeys: the key of "${owner}" is missing (undefined).`)
      if (!isBearerToken(key)) {
        throw new TypeError(
          `apiKeys: each key of "${owner}" must be 1 to 4096 of the characters A-Z a-z 0-9 - . _ ~ + / (and = at its end).`,
        )
      }
      if (seen.has(key)) throw new TypeError(`apiKeys: a key of "${owner}" is given twice.`)
      seen.add(key)
      known.push({ identity: { owner }, key })
    }
  }
  if (known.length === 0) throw new TypeError('apiKeys: at least one owner with a key is needed.')

  // A token that has proved right needs no second hash. It is looked up by V8's hash of it, which is seeded at random:
  // a guess meets no comparison that could tell how near it is. There are never more than there are keys.
  const proved = new Map<string, Identity>()

  async function identityOf(token: string): Promise<Identity | undefined> {
    const digest = await digestOf(token)
    let identity: Identity | undefined
    for (const candidate of known) {
      candidate.digest ??= await digestOf(candidate.key)
      if (isSame(candidate.digest, digest)) identity = candidate.identity
    }
    if (identity) proved.set(token, identity)
    return identity
  }

  return (token) => proved.get(token) ?? identityOf(token)
}

async function digestOf(token: string): Promise<Uint32Array> {
  return new Uint32Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)))
}

function isSame(a: Uint32Array, b: Uint32Array): boolean {
  let difference = 0
  for (let i = 0; i < 8; i++) difference |= a[i]! ^ b[i]!
  return difference === 0
}
