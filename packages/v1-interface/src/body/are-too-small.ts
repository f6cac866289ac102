/** Up to this many pieces may have any size. */
const freePieces = 1000
const leastMeanBytes = 32

/**
 * Whether a request body comes in pieces that are too small: more than 1,000 pieces of less than 32 bytes on average.
 * The host handles each chunk of a chunked body (RFC 9112 section 7.1) by itself, even one of a single byte, so reading
 * such a body costs the server much more than sending it costs the client.
 * @param pieces how many pieces have arrived so far
 * @param bytes how many bytes they have together
 */
export function areTooSmall(pieces: number, bytes: number): boolean {
  return pieces > freePieces && bytes < pieces * leastMeanBytes
}
