/**
 * A random UUID (RFC 9562 section 5.4), for a text that stays in memory. Node joins a UUID from 20 short texts, and V8
 * keeps the tree of these parts, some 500 bytes, until code reads the whole text. `toLowerCase` makes V8 flatten the
 * text, and changes nothing, because a UUID has only lower-case letters.
 */
export function randomUuid(): string {
  return crypto.randomUUID().toLowerCase()
}
