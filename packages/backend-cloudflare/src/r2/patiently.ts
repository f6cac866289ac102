import pRetry from 'p-retry'

/** InternalError, ServiceUnavailable, ClientDisconnect and TooManyRequests. */
const passingCodes = /\((?:10001|10043|10054|10058)\)$/

/**
 * Calls R2, and calls it again up to 5 times within about 6 seconds while its errors are passing ones. R2 writes the code of
 * an error at the end of the message.
 * @param call what may be done twice
 * @throws R2's last error
 * @see https://developers.cloudflare.com/r2/api/error-codes/ (2026-11-27)
 */
export function patiently<Result>(call: () => Promise<Result>): Promise<Result> {
  return pRetry(call, {
    retries: 5,
    minTimeout: 100,
    randomize: true,
    shouldRetry: ({ error }) => passingCodes.test(error.message),
  })
}
