import { GenerationError } from './generation-error.ts'

/** The error for every failed call of the job store. @param cause the error of the store, for the log only */
export function storeUnavailable(cause: unknown): GenerationError {
  return new GenerationError('store_unavailable', 'The job store does not answer. Try again later.', {
    cause,
  })
}
