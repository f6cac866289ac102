import { FetchRefusedError } from './fetch-refused-error.ts'

/** One fetch from its first look-up to its last byte. Everything that it holds open hangs on `signal`. */
export interface Transfer {
  readonly signal: AbortSignal
  /** Ends it and closes what is open. @returns the error that ended it, which is the first of several */
  fail(error: unknown): unknown
  /** Ends it well: the body has been read. */
  complete(): void
}

/** Begins a transfer that fails when its time is up or its caller leaves. */
export function beginTransfer(timeoutMs: number, caller: AbortSignal | undefined): Transfer {
  const controller = new AbortController()
  const timer = setTimeout(() => fail(timeoutRefusal(timeoutMs)), timeoutMs)
  const leave = () => fail(caller?.reason)
  const complete = () => {
    clearTimeout(timer)
    caller?.removeEventListener('abort', leave)
  }
  const fail = (error: unknown) => {
    complete()
    controller.abort(error)
    return controller.signal.reason
  }
  caller?.addEventListener('abort', leave)
  if (caller?.aborted) leave()
  return { signal: controller.signal, fail, complete }
}

function timeoutRefusal(timeoutMs: number): FetchRefusedError {
  return new FetchRefusedError(
    'timeout',
    `The transfer is given up: it took more than ${timeoutMs / 1000} seconds.`,
  )
}
