export { apiKeys, type ApiKeys } from './access/api-keys.ts'
export { areTooSmall } from './body/small-pieces.ts'
export type { BodyReader, ParsedBody, V1Body, V1Reply, V1Request } from './interface/v1-request.ts'
export { createV1Interface, type V1Interface } from './interface/v1-interface.ts'
export { checkMountedOptions, checkV1Options } from './interface/check-v1-options.ts'
export { v1Path } from './interface/v1-path.ts'
export {
  type Authenticate,
  type Identity,
  type MountedV1Options,
  type V1Options,
} from './interface/v1-options.ts'
