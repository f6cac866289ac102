/** What an operator has done: an entry of the audit log, which outlives the jobs. */
export interface AuditEntry {
  /** Different for each entry. A second entry with the same id is the same entry. */
  readonly id: string
  /** When it was done, in milliseconds since the Unix epoch. */
  readonly at: number
  /** Who has done it: the name of the operator. */
  readonly by: string
  /** What was done, in one word such as `retry`. */
  readonly action: string
  /** Why, in the words of the operator. */
  readonly why: string
  /** The id of the job to which it was done. Absent when it was not done to a job. */
  readonly job?: string | undefined
  /** The owner whom it concerns. Absent when it concerns none. */
  readonly owner?: string | undefined
  /** What came of it, such as the id of the new job, or the code of the error. Absent while it is not known. */
  readonly outcome?: string | undefined
}

/** Selects entries of the audit log. */
export interface AuditQuery {
  /** Entries about this job. @default all */
  readonly job?: string | undefined
  /** Entries that come after this one in the order. @default all from the latest */
  readonly after?: Pick<AuditEntry, 'id' | 'at'> | undefined
  /** The most entries to return. */
  readonly limit: number
}
