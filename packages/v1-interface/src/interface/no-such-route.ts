import { GenerationError } from '@genmount/core'
import type { V1Request } from './v1-request.ts'

/** A part of a path that an error may repeat. What has digits, or is longer, may be a key or an id of the client. */
const plainWord = /^[a-z_-]{0,16}$|^v1$/

/** The number of parts of a path that an error names at most. */
const maxParts = 12

/**
 * The error for a path at which nothing is. It names the path, because a framework in front may have changed it, but
 * replaces what may be a secret with `...`. It says where the interface is, for a client with a wrong base URL.
 */
export function noSuchRoute({
  path,
  target = path,
  mountPath,
}: Partial<Pick<V1Request, 'path' | 'target'>> & Pick<V1Request, 'mountPath'>): GenerationError {
  const parts = target?.split('?', 1)[0]?.split('/', maxParts)
  const seen = parts?.map((part) => (plainWord.test(part) ? part : '...')).join('/') ?? 'this path'
  return new GenerationError(
    'route_not_found',
    `There is nothing at ${seen}. The interface is below ${mountPath}/v1, such as POST ${mountPath}/v1/generate.`,
  )
}
