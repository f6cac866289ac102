import { FetchRefusedError } from './fetch-refused-error.ts'

/**
 * One fetch, from its first DNS look-up to its last byte. Aborting `signal` closes everything that the fetch holds
 * open.
 */
export interface Transfer {
  readonly signal: AbortSignal
  /**
   * Ends the transfer and closes what is open.
   * @returns the error that ended it: the first one, if there were several
   */
  fail(error: unknown): unknown
  /** Ends the transfer after the body has been read. */
  complete(): void
}

/** Begins a transfer that fails after `timeoutMs`, or when `caller` aborts. */
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
    `The transfer took more than ${timeoutMs / 1000} seconds and was stopped.`,
  )
}
