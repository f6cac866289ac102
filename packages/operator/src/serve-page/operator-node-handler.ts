import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageNodeHandler } from '@genmount/page-kit/serve'
import type { MountedOperatorPageOptions } from './operator-page-options.ts'
import { mountedOperatorPage } from './served-operator-page.ts'

/**
 * A request listener of node:http and node:https.
 * @param next called for a path that does not belong to the page. @default the client gets 404
 */
export type OperatorNodeHandler = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void

/**
 * Makes a request listener for node:http and node:https that serves the page of operators.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example
 * const page = toOperatorNodeHandler()
 * createServer((req, res) => page(req, res, () => handler(req, res))).listen(3000)
 */
export function toOperatorNodeHandler(options: MountedOperatorPageOptions = {}): OperatorNodeHandler {
  return pageNodeHandler(...mountedOperatorPage('toOperatorNodeHandler', options))
}
