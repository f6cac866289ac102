/** How long a call waits for a lock that another process holds, in milliseconds, before it fails. */
const callPatienceMs = 800
/**
 * The longest pause between two tries, in milliseconds: every waiting process tries at least once in this
 * time.
 */
export const longestLockPauseMs = 15

/** The lower 8 bits of SQLITE_BUSY and of its extended codes: https://sqlite.org/rescode.html#busy */
const busy = 5

/**
 * Runs `attempt`, and repeats it while the database is locked. SQLite could wait by itself, but `node:sqlite` is
 * synchronous, so that wait would block the event loop.
 * @param patienceMs for how many milliseconds. @default 800
 * @throws whatever `attempt` throws last
 */
export async function patiently<Result>(
  attempt: () => Result,
  patienceMs: number = callPatienceMs,
): Promise<Result> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error
    }
    // The pause is random, so that several processes do not try at the same moments again and again.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longestLockPauseMs))
  }
}

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number }
  return errcode !== undefined && (errcode & 0xff) === busy
}
