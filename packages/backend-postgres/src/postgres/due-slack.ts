/**
 * By how many milliseconds a job may be due later than its column `due_at` says. The column, which has an index, so stays as it
 * is in most writes of a short job, and they add nothing to the indexes (HOT). A sweep looks at each job that is due later
 * than its column says, so their number must be that of a few seconds of writes.
 */
export const dueSlackMs = 4000

/** The new value of the column `due_at` of a job that is now due at another instant. */
export const dueColumn = (dueAt: string) =>
  `CASE WHEN ${dueAt} BETWEEN jobs.due_at AND jobs.due_at + ${dueSlackMs} THEN jobs.due_at ELSE ${dueAt} END`

/**
 * When a job is due: its JSON begins with the instant, see `stored-inputs.ts`. Rows that a release before this one has written
 * begin otherwise, and have it in the column.
 */
export const exactlyDueAt = `
  CASE WHEN starts_with(job, '{"dueAt":') THEN split_part(substr(job, 10, 20), ',', 1)::bigint ELSE due_at END`
