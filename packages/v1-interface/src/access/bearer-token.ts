const maxTokenLength = 4096
const credentials = /^bearer +([\w.~+/-]+=*) *$/i

/** What an Authorization header says: nothing of a bearer, a bearer token, or something that can't be one. */
export type BearerToken = { readonly token: string } | 'missing' | 'malformed'

/**
 * Reads the Authorization header after RFC 6750 section 2.1; the scheme's case does not matter (RFC 9110 section 11.1).
 * Two headers, joined by a comma, are malformed: a proxy in front may have looked at the other one.
 */
export function bearerToken(header: string | undefined): BearerToken {
  const token = header === undefined ? undefined : credentials.exec(header)?.[1]
  if (token !== undefined) return token.length > maxTokenLength ? 'malformed' : { token }
  return header === undefined || !/^bearer +\S/i.test(header) ? 'missing' : 'malformed'
}

/** Whether a client can send this as a bearer token. */
export function isBearerToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTokenLength && /^[\w.~+/-]+=*$/.test(value)
}
