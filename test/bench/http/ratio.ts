import type { Sample } from './measure.ts'

/** A figure from several rounds. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
  return { median, min: sorted[0]!, max: sorted.at(-1)! }
}

/**
 * Compares one server with another round by round, so that it does not matter if the machine was slow in a
 * whole round.
 */
export function ratioOf(ours: readonly Sample[], theirs: readonly Sample[], figure: keyof Sample): Spread {
  return spreadOf(ours.map((sample, round) => sample[figure] / theirs[round]![figure]))
}

/** The figure as text, for example `1.04 (0.99 to 1.08)`. */
export function shown({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`
}
