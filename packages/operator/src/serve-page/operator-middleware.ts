import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageMiddleware } from '@genmount/page-kit/serve'
import type { OperatorPageOptions } from './operator-page-options.ts'
import { servedOperatorPage } from './served-operator-page.ts'

/** A request of Express 4 or 5: a request of node:http with the properties that the middleware reads. */
export interface OperatorRequest extends IncomingMessage {
  /** The request target as the client has sent it, before any router has changed it. */
  originalUrl: string
  /** The path under which the middleware is mounted: `''` or a path such as `/operator`. */
  baseUrl: string
}

/** A middleware that answers requests for the page and calls `next` for all others. */
export type OperatorMiddleware = (req: OperatorRequest, res: ServerResponse, next: () => void) => void

/**
 * Makes a middleware for Express 4 and 5 that serves the page of operators. It can be mounted at any path.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example app.use('/operator', toOperatorMiddleware({ baseUrl: '/media' }))
 */
export function toOperatorMiddleware(options: OperatorPageOptions = {}): OperatorMiddleware {
  return pageMiddleware(servedOperatorPage('toOperatorMiddleware', options))
}
