import type { Authenticate, Identity } from '../interface/v1-options.ts'
import { isBearerToken } from './bearer-token.ts'
import { sha256 } from './sha256.ts'

/** What `apiKeys` makes. */
export interface ApiKeys extends Authenticate {
  /** Whether one of the keys has this id: the option of the same name, if links are to end with their keys. */
  readonly isKeyValid: (keyId: string) => boolean
}

/**
 * The ready-made `authenticate`: knows each owner by one or more keys, any number of them at the same cost. A token is
 * looked up by its SHA-256: what the look-up compares tells nothing of how near a guess is to a key, because nobody can
 * choose a token whose hash begins like that of a key which they do not know.
 * @throws TypeError for a key that is missing, is no bearer token (RFC 6750 section 2.1) or is given twice. The message
 * names the owner and never shows a key.
 * @example apiKeys({ alice: process.env.ALICE_KEY, bob: ['old-key', 'new-key'] })
 */
export function apiKeys(keys: Readonly<Record<string, string | readonly string[] | undefined>>): ApiKeys {
  const known = new Map<string, Identity>()
  const keyIds = new Set<string>()
  let longest = 0
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
      const digest = sha256(key)
      if (known.has(digest)) throw new TypeError(`apiKeys: a key of "${owner}" is given twice.`)
      const keyId = shortHash(digest)
      known.set(digest, { owner, keyId })
      keyIds.add(keyId)
      longest = Math.max(longest, key.length)
    }
  }
  if (known.size === 0) throw new TypeError('apiKeys: at least one owner with a key is needed.')

  // A token that has proved right needs no second hash. V8's hash, by which it is looked up, is seeded at random. There are
  // never more of them than there are keys, and no wrong ones.
  const proved = new Map<string, Identity>()

  const authenticate: Authenticate = (token) => {
    const before = proved.get(token)
    // A token longer than every key is none, and would take the longest to hash.
    if (before || token.length > longest) return before
    const identity = known.get(sha256(token))
    if (identity) proved.set(token, identity)
    return identity
  }
  return Object.assign(authenticate, { isKeyValid: (keyId: string) => keyIds.has(keyId) })
}

/** The first 64 bits in hex, which are enough to tell keys apart. */
function shortHash(digest: string): string {
  return Array.from({ length: 4 }, (_, at) => digest.charCodeAt(at).toString(16).padStart(4, '0')).join('')
}
