import type { GenerationService } from '@genmount/core'
import type { CheckedOptions } from './v1-options.ts'
import type { V1Reply, V1Request } from './v1-request.ts'

/** What every route knows. */
export interface RouteContext {
  readonly service: GenerationService
  readonly options: CheckedOptions
}

/** One request on its way through the routes. */
export interface Exchange {
  readonly request: V1Request
  readonly requestId: string
  /** What the routes are matched by: HEAD is GET here, and the body is dropped at the end. */
  readonly method: string
  /** What the routes are matched by: the request's path on a host of no meaning. */
  readonly url: string
  /** Set by the router: the parameters in the path, not decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Set by the router: the pattern that matched. */
  readonly route: string
  /** Set once the request is authenticated. */
  owner: string
  /** Set once the request is authenticated: the public address of the mount path, without a slash at its end. */
  baseUrl: string
}

export type Answer = (exchange: Exchange) => V1Reply | Promise<V1Reply>
