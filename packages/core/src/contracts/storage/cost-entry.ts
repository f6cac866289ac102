/**
 * What one job has cost: a row of the ledger. It contains nothing of the job's content. Instants are milliseconds since
 * the Unix epoch.
 */
export interface CostEntry {
  /** The id of the job. */
  readonly job: string
  /** The owner of the job. */
  readonly owner: string
  /** The id of the key by which the job was created. Absent when the app names no keys, and in entries of earlier releases. */
  readonly keyId?: string
  /** The id of the model in the client's request. */
  readonly model: string
  /** The name of the provider that got the latest submit. Absent when the job was never submitted. */
  readonly provider?: string
  /** How the job ended. */
  readonly outcome: 'completed' | 'failed'
  /** What the job has cost, in US dollars. Absent when the cost is unknown. */
  readonly costUsd?: number
  /**
   * What the job counts in the budget of its owner because its cost is unknown, in US dollars: the vendor may have been paid.
   * Absent when the cost is known, and when nothing was reserved for the job.
   */
  readonly reservedUsd?: number
  /** How many outputs the job has: 0 for a job that failed. Absent in entries of earlier releases. */
  readonly outputs?: number
  /**
   * How many seconds of output a completed job was ordered to make, exact to a thousandth: 0 for a job that failed. Absent when
   * the price of the model is not by the second, or the input does not say how many.
   */
  readonly seconds?: number
  /** When the job was accepted. */
  readonly createdAt: number
  /** When the latest submit began. Absent when no provider has taken the job on. */
  readonly startedAt?: number
  /** When the job completed or failed. */
  readonly endedAt: number
}

/** Selects entries of the ledger. */
export interface CostQuery {
  /** The owner of the jobs. @default the jobs of all owners */
  readonly owner?: string | undefined
  /** Jobs that ended at this instant or later. */
  readonly from: number
  /** Jobs that ended before this instant. */
  readonly to: number
  /** Entries that come after this one in the order. @default all from the beginning */
  readonly after?: Pick<CostEntry, 'job' | 'endedAt'> | undefined
  /** The most entries to return. */
  readonly limit: number
}
