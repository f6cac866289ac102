/**
 * Resolves after the event loop has served what waited for its turn. On a runtime without `setImmediate` it resolves at
 * once.
 */
export async function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (resolve: () => void) => unknown }
  if (setImmediate) await new Promise<void>((resolve) => setImmediate(resolve))
}
