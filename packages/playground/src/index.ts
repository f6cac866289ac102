export { toPlaygroundHandler, type PlaygroundHandler } from './serve/playground-handler.ts'
export { toPlaygroundNodeHandler, type PlaygroundNodeHandler } from './serve/playground-node-handler.ts'
export {
  toPlaygroundMiddleware,
  type PlaygroundMiddleware,
  type PlaygroundRequest,
} from './serve/playground-middleware.ts'
export type { MountedPlaygroundOptions, PlaygroundOptions } from './serve/playground-options.ts'
