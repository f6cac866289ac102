export {
  apiKeys,
  type ApiKeys,
  type AccessOptions,
  type AnyAccess,
  type AnyHost,
  type Authenticate,
  type BearerAccess,
  corsPolicy,
  type CorsOptions,
  type CorsPolicy,
  type Credentials,
  type Identified,
  type Identity,
  type MountedV1Options,
  type MountOptions,
  type V1Options,
  type V1Request,
  type V1Settings,
} from '@genmount/v1-interface'
export { advanceHandler, type AdvanceHandlerOptions } from './advance-handler.ts'
export { bodyOf } from './body-of.ts'
export { readingTurns, type ReadingTurns } from './reading-turns.ts'
export { toFetchHandler, type FetchHandler, type FetchHost } from './fetch-handler.ts'
