import fc from 'fast-check'

/** What is random in a storm is the same for the same seed, which `STORM_SEED` sets. Prints it. */
export function stormSeed(jobs: number): number {
  const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000)
  console.log(`STORM_SEED=${seed} STORM_JOBS=${jobs}`)
  return seed
}

export function sampled<Value>(values: fc.Arbitrary<Value>, count: number, seed: number): Value[] {
  return fc.sample(values, { seed, numRuns: count, unbiased: true })
}

/** A number in so many percent of cases, and otherwise 0. */
export function orNone(percent: number, some: fc.Arbitrary<number>): fc.Arbitrary<number> {
  return fc.oneof({ weight: percent, arbitrary: some }, { weight: 100 - percent, arbitrary: fc.constant(0) })
}

/** Durations that are `ms` milliseconds on average. */
export function around(ms: number): fc.Arbitrary<number> {
  return fc.integer({ min: Math.floor(ms / 2), max: Math.ceil(ms * 1.5) })
}

/**
 * What to order from `taskProviders`, but for the prompt.
 * @param ranges how long a task takes and an answer is held back at most, in milliseconds
 */
export function orders({ mostMs, mostHoldMs }: { readonly mostMs: number; readonly mostHoldMs: number }) {
  return fc.record({
    model: fc.constantFrom('finds', 'finds', 'dedupes', 'dedupes', 'plain'),
    ms: fc.integer({ min: 200, max: mostMs }),
    hold: orNone(40, fc.integer({ min: 300, max: mostHoldMs })),
    holdPoll: orNone(30, fc.integer({ min: 300, max: mostHoldMs })),
    losesAnswer: fc.nat(9).map((lot) => lot === 0),
  })
}
