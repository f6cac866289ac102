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
export function isBearerToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTokenLength && /^[\w.~+/-]+=*$/.test(value)
}
