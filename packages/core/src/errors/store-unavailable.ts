import { GenerationError } from './generation-error.ts'

/** The error of everything that the job store does not answer. @param cause the fault of the store, for the log only */
export function storeUnavailable(cause: unknown): GenerationError {
  return new GenerationError('store_unavailable', 'The job store does not answer. Try again later.', {
    cause,
  })
}
