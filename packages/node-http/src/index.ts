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
  type CheckedV1Options,
  checkV1Options,
  type Identity,
  type MountedV1Options,
  type MountOptions,
  type V1Body,
  type V1Options,
  type V1Settings,
  type V1Request,
} from '@genmount/v1-interface'
export {
  createNodeResponder,
  type NodeHost,
  type NodeMount,
  type NodeResponder,
  nodeResponderOf,
} from './node-responder.ts'
export { nodeHeader, nodeHeaders, nodeScheme } from './node-request.ts'
export { sendReply } from './send-reply.ts'
export { streamBody } from './send-reply.ts'
export { toNodeHandler, type NodeHandler } from './node-handler.ts'
