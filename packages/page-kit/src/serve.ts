export {
  checkPageOptions,
  isAddress,
  isPath,
  isText,
  type AcceptedOptions,
} from './serve/check-page-options.ts'
export { pageHandler } from './serve/page-handler.ts'
export { pageMiddleware, type MountedRequest } from './serve/page-middleware.ts'
export { pageNodeHandler } from './serve/page-node-handler.ts'
export type { ServedPage } from './serve/page-reply.ts'
