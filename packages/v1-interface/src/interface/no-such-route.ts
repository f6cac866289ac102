import { GenerationError } from '@genmount/core'
import type { V1Request } from './v1-request.ts'

/** The error for a path at which nothing is. It says where the interface is, for a client with a wrong base URL. */
export function noSuchRoute({ mountPath }: V1Request): GenerationError {
  return new GenerationError(
    'route_not_found',
    `There is nothing at this path. The interface is below ${mountPath}/v1, such as POST ${mountPath}/v1/generate.`,
  )
}
