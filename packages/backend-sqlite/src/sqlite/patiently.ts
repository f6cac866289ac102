/** How long a call waits for a lock that another process holds before it fails. */
const patienceMs = 800
/** A lock that is free for this long is seen by everybody who waits for it. */
export const longestLockPauseMs = 15

/** SQLITE_BUSY, whatever its extension: https://sqlite.org/rescode.html#busy */
const busy = 5

/**
 * Tries again while the database is locked. SQLite would wait itself, but `node:sqlite` is synchronous, and the event
 * loop would wait with it.
 */
export async function patiently<Result>(attempt: () => Result): Promise<Result> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error
    }
    // At random, so that processes which wait for each other do not do it in step.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longestLockPauseMs))
  }
}

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number }
  return errcode !== undefined && (errcode & 0xff) === busy
}
