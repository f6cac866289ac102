import { pageHandler } from '@genmount/page-kit/serve'
import type { MountedPlaygroundOptions } from './playground-options.ts'
import { mountedPlayground } from './served-playground.ts'

/** A fetch handler. It answers every request. A path that does not belong to the page gets 404. */
export type PlaygroundHandler = (request: Request) => Response

/**
 * Makes a fetch handler that serves the page, for Deno, Bun, workers, Hono and Next route handlers.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example Deno.serve(toPlaygroundHandler({ baseUrl: 'https://api.example' }))
 */
export function toPlaygroundHandler(options: MountedPlaygroundOptions = {}): PlaygroundHandler {
  return pageHandler(...mountedPlayground('toPlaygroundHandler', options))
}
