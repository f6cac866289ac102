import { GenerationError } from '@genmount/core'
import * as v from 'valibot'

const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters, bare or in double quotes.'

/** A bare key, or a quoted string (RFC 8941 section 3.3.3), whose quotes and escapes are removed. */
const IdempotencyKey = v.pipe(
  v.string(),
  v.regex(/^(?:[\x21\x23-\x7e][\x20-\x7e]*|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+")$/, message),
  v.transform((value) => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value)),
  v.maxLength(255, message),
)

/**
 * Reads the Idempotency-Key header. @throws GenerationError `invalid_request` for a header that is not a
 * valid key
 */
export function idempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const result = v.safeParse(IdempotencyKey, header)
  if (result.success) return result.output
  throw new GenerationError('invalid_request', message, { param: 'Idempotency-Key' })
}
