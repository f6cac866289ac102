/** One figure and its target, as a row of the results page. */
export interface Row {
  /** What was measured, and what it is compared with. */
  readonly what: string
  /** The figure with its unit, for example `1.04 (0.99 to 1.08)`. */
  readonly figure: string
  /** The target, for example `>= 1.00`. Absent for a figure without a target. */
  readonly target?: string
  readonly meets?: boolean
}

/** The result of a bench. */
export interface BenchResult {
  readonly rows: readonly Row[]
  /** Further details as Markdown, such as raw medians. */
  readonly notes?: string
  /** The bars for the chart. */
  readonly bars?: readonly Bar[]
}

/** A bar of the chart: a ratio to a peer, whose own figure is 1. */
export interface Bar {
  /** The heading of a group of bars, which names the peer. */
  readonly group: string
  readonly label: string
  readonly value: number
  readonly isOurs: boolean
}

/** A bench. `npm run bench -- NAME` runs a single one. */
export interface Bench {
  readonly title: string
  run(): Promise<BenchResult>
}

/** Whether the bench only shows that it works, with `npm run bench -- --short`: its figures mean nothing. */
export const isShort = process.env['BENCH_SHORT'] === '1'

/** A number of rounds, jobs or milliseconds, which is divided by `divisor` in a short run. */
export function full(count: number, divisor = 10): number {
  return isShort ? Math.ceil(count / divisor) : count
}
