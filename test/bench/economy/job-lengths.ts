export interface JobLengths {
  /** Each job takes about one of these. */
  readonly typicalMs: readonly number[]
  /** How much the jobs of one length differ: the standard deviation of the logarithm, about the relative one. */
  readonly spread: number
}

/** How long each of `count` jobs runs at its provider, in milliseconds: log-normal, and the same for the same seed. */
export function jobLengths(count: number, { typicalMs, spread }: JobLengths, seed = 1): readonly number[] {
  const random = randomNumbers(seed)
  return Array.from({ length: count }, () => {
    const typical = typicalMs[Math.floor(random() * typicalMs.length)]!
    // Box and Muller, A Note on the Generation of Random Normal Deviates (1958).
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return typical * Math.exp(spread * normal)
  })
}

/** Mulberry32: numbers from 0 to 1 that look random and are the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
