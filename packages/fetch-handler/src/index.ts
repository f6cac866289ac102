export {
  apiKeys,
  type ApiKeys,
  type Authenticate,
  type CorsOptions,
  type Identity,
  type MountedV1Options,
  type V1Request,
} from '@genmount/v1-interface'
export { toFetchHandler, type FetchHandler } from './fetch-handler.ts'
