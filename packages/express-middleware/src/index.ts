export {
  apiKeys,
  type ApiKeys,
  type Authenticate,
  type CorsOptions,
  type Identity,
  type V1Options,
  type V1Request,
} from '@genmount/node-http'
export { toExpressMiddleware, type ExpressMiddleware, type ExpressRequest } from './express-middleware.ts'
