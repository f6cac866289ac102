/** A pause that doubles with each failed try, and differs a little so that what failed together does not come back together. */
export function backOffMs(attempts: number, maxMs: number): number {
  const spread = 0.75 + Math.random() / 2
  return Math.round(Math.min(maxMs, 1000 * 2 ** attempts) * spread)
}
