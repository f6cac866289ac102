/** Sums of jobs that have ended. */
export interface UsageSums {
  /** How many jobs ended. */
  readonly jobs: number
  /** How many of these jobs failed. */
  readonly failed: number
  /** How many outputs the jobs have. */
  readonly outputs: number
  /** How many seconds of output completed jobs were ordered to make, of models whose price is by the second. */
  readonly seconds: number
  /** What the jobs have cost, in US dollars, without unknown costs. */
  readonly cost_usd: number
  /** How many of these jobs have an unknown cost. */
  readonly unknown_costs: number
  /**
   * What is reserved for jobs with an unknown cost, in US dollars. In the sums of the whole time also what is reserved now for
   * unfinished jobs.
   */
  readonly reserved_usd: number
}

/** The sums of jobs that have something in common. What the request did not group by is absent. */
export interface UsageRow extends UsageSums {
  /** The UTC day on which the jobs ended, such as `2026-11-01`. */
  readonly day?: string
  /** The id of the model. */
  readonly model?: string
  /** The id of the key by which the jobs were created. `null` for jobs of keys without an id. */
  readonly key?: string | null
}

/** What the jobs of the key's owner have cost in a time. */
export interface Usage extends UsageSums {
  /** The beginning of the time (ISO 8601). */
  readonly from: string
  /** The end of the time (ISO 8601), which does not belong to it. */
  readonly to: string
  /** The rows of this page. One row with all jobs if the request groups by nothing. */
  readonly data: readonly UsageRow[]
  /** Whether there are more rows. */
  readonly has_more: boolean
  /** The `cursor` of the next page. `null` on the last page. */
  readonly next_cursor: string | null
}

/** Selects and groups the jobs of a sum. */
export interface UsageFilter {
  /** Jobs that ended at this instant or later; a text may be a UTC day. @default the beginning of the UTC month */
  readonly from?: Date | string | undefined
  /** Jobs that ended before this instant; a text may be a UTC day. @default the end of the UTC day */
  readonly to?: Date | string | undefined
  /** What the jobs of a row have in common. @default nothing: one row has all jobs */
  readonly group_by?: readonly ('day' | 'model' | 'key')[] | undefined
  /** The most rows on a page, from 1 to 1000. @default 1000 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before, with the same time and groups. @default the first page */
  readonly cursor?: string | undefined
}
