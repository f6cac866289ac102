export interface JobLengths {
  /** The typical run times: each job takes about one of them. */
  readonly typicalMs: readonly number[]
  /**
   * How much jobs with the same typical run time differ: the standard deviation of the logarithm, which is
   * about the relative standard deviation.
   */
  readonly spread: number
}

/**
 * The run times of `count` jobs at the provider, in milliseconds. They are log-normal, and the same for the
 * same seed.
 */
export function jobLengths(count: number, { typicalMs, spread }: JobLengths, seed = 1): readonly number[] {
  const random = randomNumbers(seed)
  return Array.from({ length: count }, () => {
    const typical = typicalMs[Math.floor(random() * typicalMs.length)]!
    // Box and Muller, A Note on the Generation of Random Normal Deviates (1958).
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return typical * Math.exp(spread * normal)
  })
}

/** Mulberry32: pseudo-random numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
