import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServedPage } from './page-reply.ts'
import { sendPage } from './send-page.ts'

/** A request of Express 4 or 5: a request of node:http with the properties that the middleware reads. */
export interface MountedRequest extends IncomingMessage {
  /** The request target as the client has sent it, before any router has changed it. */
  originalUrl: string
  /** The path under which the middleware is mounted: `''` or a path such as `/playground`. */
  baseUrl: string
}

/** @returns a middleware for Express 4 and 5 that serves the page where it is mounted, and calls `next` for other paths */
export function pageMiddleware(
  served: ServedPage,
): (req: MountedRequest, res: ServerResponse, next: () => void) => void {
  return (req, res, next) => {
    if (!sendPage(req, res, { target: req.originalUrl, mountPath: req.baseUrl }, served)) next()
  }
}
