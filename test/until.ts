/**
 * Waits until `isSo` says yes.
 * @returns how long that took, in milliseconds
 * @throws Error when it has not said yes within `withinMs` milliseconds
 */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<number> {
  const from = performance.now()
  while (!(await isSo())) {
    if (performance.now() - from > withinMs) throw new Error(`Not so within ${withinMs} ms: ${isSo}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return performance.now() - from
}
