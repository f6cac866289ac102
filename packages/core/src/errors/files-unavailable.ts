import { GenerationError } from './generation-error.ts'

/** The error of everything that the file store does not do. @param cause the fault of the store, for the log only */
export function filesUnavailable(cause: unknown): GenerationError {
  return new GenerationError('store_unavailable', 'The file store can not be reached. Try again.', { cause })
}
