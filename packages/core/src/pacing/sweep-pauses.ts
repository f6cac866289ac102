/** How often to look for due jobs if other processes may have left some in the store, in milliseconds. */
export const quickMs = 500
/**
 * A due job is left to its own process for this many milliseconds, because that process usually wakes the job itself.
 */
export const courtesyMs = 250
