import { GenmountError } from '../errors/genmount-error.ts'

/**
 * Whether the error of `upload` says that the service takes no uploads at all. Then a small file can stand in an input
 * as a data URI.
 */
export function takesNoUploads(error: unknown): boolean {
  return error instanceof GenmountError && error.code === 'route_not_found'
}
