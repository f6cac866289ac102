/**
 * A random UUID (RFC 9562 section 5.4), for a text that is kept. Node joins a UUID from 20 short texts, and V8 keeps the
 * tree of these joints, some 500 bytes, until something reads the whole text. `toLowerCase` reads it: the letters of a
 * UUID are small already, and the result is one flat text.
 */
export function randomUuid(): string {
  return crypto.randomUUID().toLowerCase()
}
