/** Numbers from 0 to below 1 that are the same for the same seed: https://en.wikipedia.org/wiki/Xorshift, 32 bits. */
export function randomOf(seed: number): () => number {
  // Zero would stay zero, hence the 1 at the end, which takes no bit from the seed; a few rounds part seeds that are close
  // to each other.
  let state = ((seed << 1) ^ 0x9e3779b9) | 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  for (let round = 0; round < 8; round++) next()
  return next
}
