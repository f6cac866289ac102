import { GenerationError } from './generation-error.ts'

/** The error for every failed call of the job store. @param cause the error of the store, for the log only */
export function storeUnavailable(cause: unknown): GenerationError {
  return new GenerationError('store_unavailable', 'The job store does not answer. Try again later.', {
    cause,
  })
}

/**
 * Throws the error of a failed read of the job store for the client.
 * @param fault the error. A `GenerationError`, and a `TypeError` that names a wrong option, stay as they are
 */
export function throwUnavailable(fault: unknown): never {
  throw fault instanceof GenerationError || fault instanceof TypeError ? fault : storeUnavailable(fault)
}
