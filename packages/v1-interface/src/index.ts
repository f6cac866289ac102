export { apiKeys, type ApiKeys } from './access/api-keys.ts'
export { corsPolicy, type CorsOptions, type CorsPolicy } from './access/cors-policy.ts'
export { bearerToken, type BearerToken } from './access/api-keys.ts'
export { senderOfRequest, type Sender } from './access/require-owner.ts'
export { areTooSmall } from './body/read-body.ts'
export { jsonBodies, type JsonBodies, type JsonBodyLimits } from './body/with-json-body.ts'
export { PulledText } from './events/pulled-text.ts'
export { byteStream, textStream } from './events/text-stream.ts'
export type {
  BodyPiece,
  BodyReader,
  ParsedBody,
  TextSource,
  V1Body,
  V1Reply,
  V1Request,
} from './interface/v1-request.ts'
export { createV1Interface, v1InterfaceOf, type V1Interface } from './interface/v1-interface.ts'
export { type CheckedV1Options, checkMountedOptions, checkV1Options } from './interface/check-v1-options.ts'
export type { Answer, Exchange, OwnedExchange } from './interface/exchange.ts'
export type {
  FurtherInterface,
  FurtherInterfaceParts,
  FurtherRoute,
  InterfaceHost,
  JsonOrForm,
} from './interface/further-interface.ts'
export type { RouteMethod } from './interface/path-routes.ts'
export { inputJsonSchema, type JsonSchema } from './models/input-json-schema.ts'
export { idempotencyKey } from './wire/create-request.ts'
export type { ModelObject } from './wire/model-object.ts'
export { errorReply, refusalOf, type Refused } from './wire/error-reply.ts'
export { jobText } from './wire/job-reply.ts'
export { targetAsWritten, targetOf, v1Path } from './interface/base-url.ts'
export type {
  AccessOptions,
  AnyAccess,
  AnyHost,
  Authenticate,
  BearerAccess,
  Credentials,
  Identified,
  Identity,
} from './access/access-options.ts'
export {
  type MountedV1Options,
  type MountOptions,
  type OpenapiDocument,
  type V1Options,
  type V1Settings,
} from './interface/v1-options.ts'
