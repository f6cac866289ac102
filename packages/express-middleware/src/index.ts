export {
  apiKeys,
  type ApiKeys,
  type Authenticate,
  type Identity,
  type V1Options,
  type V1Request,
} from '@genmount/node-http'
export { toExpressMiddleware, type ExpressMiddleware, type ExpressRequest } from './express-middleware.ts'
