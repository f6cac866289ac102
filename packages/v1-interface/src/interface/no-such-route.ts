import { GenerationError } from '@genmount/core'
import type { V1Request } from './v1-request.ts'

/** The longest path that an error names, in characters. */
const longestPath = 200

/**
 * The error for a path at which nothing is. It names the path, because a framework in front may have changed it, and
 * says where the interface is, for a client with a wrong base URL.
 */
export function noSuchRoute({
  path,
  target = path,
  mountPath,
}: Partial<Pick<V1Request, 'path' | 'target'>> & Pick<V1Request, 'mountPath'>): GenerationError {
  const seen = target?.split('?', 1)[0]?.slice(0, longestPath) ?? 'this path'
  return new GenerationError(
    'route_not_found',
    `There is nothing at ${seen}. The interface is below ${mountPath}/v1, such as POST ${mountPath}/v1/generate.`,
  )
}
