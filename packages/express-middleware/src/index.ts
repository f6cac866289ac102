export {
  apiKeys,
  type ApiKeys,
  type AccessOptions,
  type AnyAccess,
  type AnyHost,
  type Authenticate,
  type BearerAccess,
  type CorsOptions,
  type Credentials,
  type Identified,
  type Identity,
  type V1Options,
  type V1Settings,
  type NodeHost,
  type V1Request,
} from '@genmount/node-http'
export { toExpressMiddleware, type ExpressMiddleware, type ExpressRequest } from './express-middleware.ts'
