/** A figure against its target, as the results page has it. */
export interface Row {
  /** What was measured, against what. */
  readonly what: string
  /** The figure with its unit, for example `1.04 (0.99 to 1.08)`. */
  readonly figure: string
  /** For example `>= 1.00`; absent where there is none to meet. */
  readonly target?: string
  readonly meets?: boolean
}

/** What a bench has found. */
export interface BenchResult {
  readonly rows: readonly Row[]
  /** More than the rows, as Markdown: raw medians, profiles of what falls short. */
  readonly notes?: string
  /** Bars of the chart: ratios, 1 being the peer that the title names. */
  readonly bars?: readonly { readonly label: string; readonly value: number; readonly isOurs: boolean }[]
}

/** A bench that `npm run bench -- NAME` runs alone. */
export interface Bench {
  readonly name: string
  readonly title: string
  run(): Promise<BenchResult>
}
