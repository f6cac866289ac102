import { pageHandler } from '@genmount/page-kit/serve'
import type { MountedOperatorPageOptions } from './operator-page-options.ts'
import { mountedOperatorPage } from './served-operator-page.ts'

/** A fetch handler. It answers every request. A path that does not belong to the page gets 404. */
export type OperatorHandler = (request: Request) => Response

/**
 * Makes a fetch handler that serves the page of operators, for Deno, Bun, workers, Hono and Next route handlers.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example export const GET = toOperatorHandler({ mountPath: '/operator', baseUrl: '/media' })
 */
export function toOperatorHandler(options: MountedOperatorPageOptions = {}): OperatorHandler {
  return pageHandler(...mountedOperatorPage('toOperatorHandler', options))
}
