import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServedPage } from './page-reply.ts'
import { sendPage } from './send-page.ts'

/** @returns a request listener of node:http that serves the page at its path. Other paths get `next`, or else 404 */
export function pageNodeHandler(
  served: ServedPage,
  mountPath: string,
): (req: IncomingMessage, res: ServerResponse, next?: () => void) => void {
  return (req, res, next) => {
    if (sendPage(req, res, { target: req.url ?? '/', mountPath }, served)) return
    if (next) next()
    else res.writeHead(404).end('Not found')
  }
}
