import type { GenerationError } from '@genmount/core'
import type { outputLinks } from '../outputs/output-links.ts'
import type { FurtherInterface } from './further-interface.ts'
import type { PathRoute } from './path-routes.ts'
import type { RouteContext } from './route-context.ts'
import type { V1Reply } from './v1-request.ts'

/** What an interface shares with the others on its mount. */
export interface MountPoint {
  readonly context: RouteContext
  /** Makes a link to an output. */
  readonly linkTo: ReturnType<typeof outputLinks>
  /** Makes the function that turns an error into a reply, and logs what is a fault of this service. */
  readonly refusing: (replyTo: (error: GenerationError) => V1Reply) => (error: unknown) => V1Reply
}

/** A {@link FurtherInterface} as this package sees it. */
export interface MountableInterface {
  readonly path: string
  /** Makes its routes, once, when it is mounted. */
  routesAt(point: MountPoint): readonly PathRoute[]
}

export function mountableIn(further: FurtherInterface): MountableInterface {
  return further as object as MountableInterface
}
