import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageNodeHandler } from '@genmount/page-kit/serve'
import type { MountedPlaygroundOptions } from './playground-options.ts'
import { mountedPlayground } from './served-playground.ts'

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
export function toPlaygroundNodeHandler(options: MountedPlaygroundOptions = {}): PlaygroundNodeHandler {
  return pageNodeHandler(...mountedPlayground('toPlaygroundNodeHandler', options))
}
