/** What the entries of the ledger can be grouped by. */
export type UsageGrouping = 'owner' | 'day' | 'model' | 'keyId'

/** Selects and groups entries of the ledger. Instants are milliseconds since the Unix epoch. */
export interface UsageQuery {
  /** The owner of the jobs. @default the jobs of all owners */
  readonly owner?: string | undefined
  /** Jobs that ended at this instant or later. */
  readonly from: number
  /** Jobs that ended before this instant. */
  readonly to: number
  /** What the jobs of one row have in common. Empty for one row with the sums of all jobs. */
  readonly groupBy: readonly UsageGrouping[]
  /** Rows that come after this one in the order. @default all from the beginning */
  readonly after?: UsageGroup | undefined
  /** The most rows to return. */
  readonly limit: number
}

/** What the jobs of a row have in common. What the query does not group by is absent. */
export interface UsageGroup {
  /** The owner of the jobs. */
  readonly owner?: string
  /** The first instant of the UTC day on which the jobs ended, in milliseconds since the Unix epoch. */
  readonly day?: number
  /** The id of the model in the clients' requests. */
  readonly model?: string
  /** The id of the key by which the jobs were created. Also absent for jobs without one. */
  readonly keyId?: string
}

/** Sums of jobs that have ended. */
export interface UsageCounts {
  /** How many jobs have ended. */
  readonly jobs: number
  /** How many of these jobs failed. */
  readonly failed: number
  /** How many outputs the jobs have, as far as their entries say. */
  readonly outputs: number
  /** The sum of `seconds` of the entries, exact to a thousandth. */
  readonly seconds: number
  /** The sum of the costs, as `microUsdOf` counts each: whole millionths of a US dollar. Unknown costs are not included. */
  readonly spentMicroUsd: number
  /** How many of these jobs have an unknown cost. */
  readonly unknownCosts: number
  /** The sum of `reservedUsd` of the entries, in whole millionths of a US dollar. */
  readonly reservedMicroUsd: number
}

/** The sums of the jobs of a group. */
export interface UsageRow extends UsageGroup, UsageCounts {}
