/** Why a request to the service has failed. */
export class ApiError extends Error {
  /** The HTTP status. 0 when there was no answer of the service. */
  readonly status: number
  /** The code of the service's error, or `network_error`. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Whether the service does not accept the key, or not for the paths of operators. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403)
}

/** Whether the server has not answered. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'network_error'
}
