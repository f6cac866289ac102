import { abortedError } from '../errors/genmount-error.ts'

/** Waits for a promise until the signal aborts. @throws GenmountError `aborted` when the signal aborts first */
export function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(abortedError(signal!))
    if (signal?.aborted) leave()
    signal?.addEventListener('abort', leave)
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
  })
}
