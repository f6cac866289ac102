import type { GenerationService } from '@genmount/core'
import type { BodyBudget } from '../body/body-budget.ts'
import type { DownloadPlaces } from '../outputs/download-places.ts'
import type { CheckedOptions } from './v1-options.ts'
import type { V1Reply, V1Request } from './v1-request.ts'

/** What every route knows. */
export interface RouteContext {
  readonly service: GenerationService
  readonly options: CheckedOptions
  /** What the bodies of an owner's requests may hold. */
  readonly bodiesOf: (owner: string) => BodyBudget
  /** The outputs that may be downloaded at a time. */
  readonly downloads: DownloadPlaces
}

/** One request on its way through the routes. */
export interface Exchange {
  readonly request: V1Request
  /** The request's path without its query. */
  readonly path: string
  /** The pattern of the route that matches the path. */
  readonly route: string
  /** The parameters in the path, not decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Set once the request is authenticated. */
  owner: string
  /** Names the key of the request, where links are to end with it. */
  keyId?: string
  /** Set once the request is authenticated: the public address of the mount path, without a slash at its end. */
  baseUrl: string
}

/** Rejects with a `GenerationError` to refuse the request. */
export type Answer = (exchange: Exchange) => Promise<V1Reply>
