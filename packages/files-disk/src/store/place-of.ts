import { createHash } from 'node:crypto'

/** The keys that a store can list: see `FileStore.list`. The lengths are limited, because those of file names are. */
const listable = /^[a-z]{1,32}\/[a-z0-9-]{1,200}$/

/**
 * The path of a key's file in the folder of the store. A key that can be listed is its own path.
 *
 * For any other key it is the hash of the key, because a key may be any text and a file name may not: its length is
 * limited, it must not contain separators, and some file systems treat `a` and `A` as the same name.
 */
export function placeOf(key: string): string {
  if (listable.test(key)) return key
  // Hashed as UTF-16, because UTF-8 turns all lone surrogates into the same bytes.
  return createHash('sha256').update(Buffer.from(key, 'utf16le')).digest('hex')
}
