import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageMiddleware } from '@genmount/page-kit/serve'
import type { PlaygroundOptions } from './playground-options.ts'
import { servedPlayground } from './served-playground.ts'

/** A request of Express 4 or 5: a request of node:http with the properties that the middleware reads. */
export interface PlaygroundRequest extends IncomingMessage {
  /** The request target as the client has sent it, before any router has changed it. */
  originalUrl: string
  /** The path under which the middleware is mounted: `''` or a path such as `/playground`. */
  baseUrl: string
}

/** A middleware that answers requests for the page and calls `next` for all others. */
export type PlaygroundMiddleware = (req: PlaygroundRequest, res: ServerResponse, next: () => void) => void

/**
 * Makes a middleware for Express 4 and 5 that serves the page. It can be mounted at any path.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example app.use('/playground', toPlaygroundMiddleware({ baseUrl: '/media' }))
 */
export function toPlaygroundMiddleware(options: PlaygroundOptions = {}): PlaygroundMiddleware {
  return pageMiddleware(servedPlayground('toPlaygroundMiddleware', options))
}
