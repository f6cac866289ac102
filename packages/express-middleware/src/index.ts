export { apiKeys, type Authenticate, type Identity, type V1Options } from '@genmount/node-http'
export {
  toExpressMiddleware,
  type ExpressMiddleware,
  type ExpressRequest,
} from './express/express-middleware.ts'
