/** Calls with a signal that aborts with `signal` and when the time is up, and does not wait for a call that ignores it. */
export async function underLimit<T>(
  signal: AbortSignal,
  timeoutMs: number,
  call: (signal: AbortSignal) => PromiseLike<T>,
): Promise<T> {
  signal.throwIfAborted()
  const controller = new AbortController()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (reason: unknown) => {
    reject(reason)
    controller.abort(reason)
  }
  const onAbort = () => abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => abort(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs)
  try {
    return await Promise.race([aborted, call(controller.signal)])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
