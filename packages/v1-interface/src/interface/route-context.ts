import type { GenerationService } from '@genmount/core'
import type { BodyBudget } from '../body/read-body.ts'
import type { DownloadPlaces } from '../outputs/download-places.ts'
import type { ModelObject } from '../wire/model-object.ts'
import type { RouteOptions } from './check-v1-options.ts'

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
