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
  /** What users ask, as Markdown: a table of the figures, and how they were measured. */
  readonly notes: string
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

/** `--short` only shows that each bench works: its figures mean nothing. `--long` takes more rounds. */
export type BenchLength = 'short' | 'usual' | 'long'

const length = (process.env['BENCH_LENGTH'] ?? 'usual') as BenchLength

/** A number of jobs, requests or milliseconds, which is divided by `divisor` in a short run. */
export function full(count: number, divisor = 10): number {
  return length === 'short' ? Math.ceil(count / divisor) : count
}

/** How many rounds a bench takes: one in a short run, and three times as many in a long one. */
export function roundsOf(count: number): number {
  return { short: 1, usual: count, long: count * 3 }[length]
}
