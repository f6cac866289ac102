/** How often to look for due jobs if other processes may have left some in the store, in milliseconds. */
export const quickMs = 500
/**
 * A due job is left to its own process for this many milliseconds, because that process usually wakes the job itself.
 */
export const courtesyMs = 250

/**
 * The pause before the next try, in milliseconds: 1 second, doubled with each failed try, up to `maxMs`. It differs by
 * up to a quarter at random, so that jobs that failed at the same moment are not tried again at the same moment.
 * @param attempts how many tries have failed before the one that just failed
 */
export function backOffMs(attempts: number, maxMs: number): number {
  const spread = 0.75 + Math.random() / 2
  return Math.round(Math.min(maxMs, 1000 * 2 ** attempts) * spread)
}
