import { checkObject } from '@genmount/core'
import type { Identity } from './access-options.ts'
import { sha256 } from './sha256.ts'

/** The `authenticate` option that `apiKeys` returns. */
export interface ApiKeys {
  /** Returns the owner of a bearer token. `undefined` when the token is not one of the keys. */
  (token: string): Identity | undefined
  /**
   * Returns whether one of the keys has this id. Pass it as the option `isKeyValid`: a link to an output then stops
   * working when its key is removed from the keys.
   */
  readonly isKeyValid: (keyId: string) => boolean
}

/**
 * The ready-made `authenticate`: a fixed list of owners, each with one or more keys. A request takes the same time
 * however many keys there are. The token is looked up by its SHA-256, so the time of the look-up reveals nothing about
 * a key: an attacker who does not know the key can't choose a token whose hash begins like the hash of the key.
 * @param keys one key or a list of keys for each owner, by the owner's name. A key is 1 to 4096 characters.
 * @throws TypeError when there is no key, when an owner has no name or no key, or when a key is missing, is not a
 * bearer token (RFC 6750 section 2.1) or is given twice. The message names the owner and never shows a key.
 * @example apiKeys({ alice: process.env.ALICE_KEY, bob: ['old-key', 'new-key'] })
 */
export function apiKeys(keys: Readonly<Record<string, string | readonly string[] | undefined>>): ApiKeys {
  checkObject('apiKeys: the keys', keys, ' such as { alice: key }')
  const identities = new Map<string, Identity>()
  const keyIds = new Set<string>()
  let longest = 0
  for (const [owner, value] of Object.entries(keys)) {
    const ownKeys = Array.isArray(value) ? value : [value]
    if (owner === '' || ownKeys.length === 0)
      throw new TypeError(
        `apiKeys: each owner must have a name and at least one key; owner "${owner}" does not.`,
      )
    for (const key of ownKeys) {
      if (key === undefined || key === '')
        throw new TypeError(
          `apiKeys: the key of "${owner}" is missing (${key === '' ? 'empty' : 'undefined'}).`,
        )
      if (!isBearerToken(key)) {
        throw new TypeError(
          `apiKeys: each key of "${owner}" must be 1 to 4096 of the characters A-Z a-z 0-9 - . _ ~ + / (and = at its end).`,
        )
      }
      const digest = sha256(key)
      if (identities.has(digest)) throw new TypeError(`apiKeys: a key of "${owner}" is given twice.`)
      const keyId = shortHash(digest)
      identities.set(digest, { owner, keyId })
      keyIds.add(keyId)
      longest = Math.max(longest, key.length)
    }
  }
  if (identities.size === 0) throw new TypeError('apiKeys: at least one owner with a key is needed.')

  // Tokens that were valid before, so that they are not hashed by SHA-256 again. The map can't grow beyond the number
  // of keys, because wrong tokens are never added. A look-up in this map is also safe against timing attacks, because
  // V8 seeds the hash of its maps at random.
  const proved = new Map<string, Identity>()

  const authenticate = (token: string) => {
    const before = proved.get(token)
    // A token that is longer than every key can't be a key. Hashing it would only cost time.
    if (before || token.length > longest) return before
    const identity = identities.get(sha256(token))
    if (identity) proved.set(token, identity)
    return identity
  }
  return Object.assign(authenticate, { isKeyValid: (keyId: string) => keyIds.has(keyId) })
}

/** The first 64 bits of the hash in hex, which are enough to tell keys apart. */
function shortHash(digest: string): string {
  return Array.from({ length: 4 }, (_, at) => digest.charCodeAt(at).toString(16).padStart(4, '0')).join('')
}

const maxTokenLength = 4096
const credentials = /^bearer +([\w.~+/-]+=*) *$/i

/**
 * The content of an Authorization header: a bearer token; `missing` when its scheme is not `Bearer`; `malformed` when
 * the text after `Bearer` is too long or can't be a token.
 */
export type BearerToken =
  | {
      /** The token without its scheme. */
      readonly token: string
    }
  | 'missing'
  | 'malformed'

/**
 * Reads the Authorization header as RFC 6750 section 2.1 defines it. The scheme may be in upper or lower case
 * (RFC 9110 section 11.1). Hosts join two Authorization headers by a comma, and such a value is malformed: a
 * proxy in front of the service may have checked one of the two headers while the service would use the
 * other.
 */
export function bearerToken(header: string | undefined): BearerToken {
  const token = header === undefined ? undefined : credentials.exec(header)?.[1]
  if (token !== undefined) return token.length > maxTokenLength ? 'malformed' : { token }
  return header === undefined || !/^bearer +\S/i.test(header) ? 'missing' : 'malformed'
}

/** Whether a client could send this value as a bearer token. */
function isBearerToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTokenLength && /^[\w.~+/-]+=*$/.test(value)
}
