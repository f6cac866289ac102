/**
 * Pseudo-random numbers from 0 to below 1, the same for the same seed:
 * https://en.wikipedia.org/wiki/Xorshift, 32 bits.
 */
export function randomOf(seed: number): () => number {
  // The state must not be zero, because it would stay zero, so its lowest bit is set to 1. The seed is
  // shifted by one bit before, so that it loses nothing. A few rounds make the numbers of similar seeds
  // differ.
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
