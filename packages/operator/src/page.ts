export { toOperatorHandler, type OperatorHandler } from './serve-page/operator-handler.ts'
export {
  toOperatorMiddleware,
  type OperatorMiddleware,
  type OperatorRequest,
} from './serve-page/operator-middleware.ts'
export { toOperatorNodeHandler, type OperatorNodeHandler } from './serve-page/operator-node-handler.ts'
export type { MountedOperatorPageOptions, OperatorPageOptions } from './serve-page/operator-page-options.ts'
