export {
  apiKeys,
  type ApiKeys,
  type Authenticate,
  checkV1Options,
  type Identity,
  type MountedV1Options,
  type V1Body,
  type V1Options,
  type V1Request,
} from '@genmount/v1-interface'
export { createNodeResponder, type NodeMount, type NodeResponder } from './node-responder.ts'
export { toNodeHandler, type NodeHandler } from './node-handler.ts'
