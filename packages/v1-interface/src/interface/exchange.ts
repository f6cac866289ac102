import type { GenerationService } from '@genmount/core'
import type { BodyBudget } from '../body/read-body.ts'
import type { DownloadPlaces } from '../outputs/download-places.ts'
import type { ModelObject } from '../wire/model-object.ts'
import type { RouteOptions } from './check-v1-options.ts'
import type { V1Reply, V1Request } from './v1-request.ts'

/** The state that all routes share. */
export interface RouteContext {
  readonly service: GenerationService
  readonly options: RouteOptions
  /** The models of the service by id, as clients see them. */
  readonly models: () => ReadonlyMap<string, ModelObject>
  /** Returns the budget that counts the bytes of the request bodies of one owner. */
  readonly bodiesOf: (owner: string) => BodyBudget
  /** Counts the downloads that are open, and limits how many may be open at the same time. */
  readonly downloads: DownloadPlaces
}

/** A request that has matched a route. Its key has not been checked yet. */
export interface Exchange {
  readonly request: V1Request
  /** The request's path without its query. */
  readonly path: string
  /** The pattern of the route that matches the path, such as `/v1/jobs/:id`. */
  readonly route: string
  /** The parameters in the path, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>
}

/** A request that has matched a route and has sent a valid key. */
export interface OwnedExchange extends Exchange {
  /** The owner of the key. */
  readonly owner: string
  /** The id of the key. `undefined` when `authenticate` names none. */
  readonly keyId: string | undefined
  /** The public address of the place where the interface is mounted, without a slash at its end. */
  readonly baseUrl: string
}

/** Answers a request. Rejects with a `GenerationError` to refuse the request. */
export type Answer<Given extends Exchange = Exchange> = (exchange: Given) => Promise<V1Reply>
