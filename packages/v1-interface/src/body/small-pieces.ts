/** So many pieces may be of any size. */
const freePieces = 1000
const leastMeanBytes = 32

/**
 * Whether a body comes in so many pieces that are so small that reading it costs the server much more than sending it costs
 * the client: each chunk of a chunked body (RFC 9112 section 7.1) is handled by itself, be it of one byte.
 */
export function areTooSmall(pieces: number, bytes: number): boolean {
  return pieces > freePieces && bytes < pieces * leastMeanBytes
}
