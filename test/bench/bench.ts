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
  /** For the chart. */
  readonly bars?: readonly Bar[]
}

/** A ratio to a peer that stands for 1. */
export interface Bar {
  /** The bars of one group stand together under this heading, which names the peer. @default the bench's title */
  readonly group?: string
  readonly label: string
  readonly value: number
  readonly isOurs: boolean
}

/** A bench that `npm run bench -- NAME` runs alone. */
export interface Bench {
  readonly name: string
  readonly title: string
  run(): Promise<BenchResult>
  /** Where the CPU goes, as Markdown: what `npm run bench -- NAME --profile` prints instead. */
  profile?(): Promise<string>
}
