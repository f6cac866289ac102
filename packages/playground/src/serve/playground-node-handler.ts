import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkPlaygroundOptions } from './check-playground-options.ts'
import type { MountedPlaygroundOptions } from './playground-options.ts'
import { sendPage } from './send-page.ts'

/**
 * A request listener of node:http and node:https.
 * @param next called for a path that does not belong to the page. @default the client gets 404
 */
export type PlaygroundNodeHandler = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void

/**
 * Makes a request listener for node:http and node:https that serves the page.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example
 * const playground = toPlaygroundNodeHandler({ mountPath: '/playground' })
 * createServer((req, res) => playground(req, res, () => handler(req, res))).listen(3000)
 */
export function toPlaygroundNodeHandler(options?: MountedPlaygroundOptions): PlaygroundNodeHandler {
  const checked = checkPlaygroundOptions('toPlaygroundNodeHandler', options)
  const { mountPath } = checked

  return (req, res, next) => {
    if (sendPage(req, res, { target: req.url ?? '/', mountPath }, checked)) return
    if (next) next()
    else res.writeHead(404).end('Not found')
  }
}
