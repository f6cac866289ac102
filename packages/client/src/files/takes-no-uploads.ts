import type { GenmountError } from '../errors/genmount-error.ts'

/**
 * Whether the error of `upload` means that the service has no uploads at all. A small file can then be sent in an input
 * as a data URI.
 */
export function takesNoUploads(error: unknown): boolean {
  return (error as Partial<GenmountError> | undefined)?.code === 'route_not_found'
}
