import { GenerationError } from './generation-error.ts'

/** The error for every failed call of the file store. @param cause the error of the store, for the log only */
export function filesUnavailable(cause: unknown): GenerationError {
  return new GenerationError('store_unavailable', 'The file store can not be reached. Try again.', { cause })
}
