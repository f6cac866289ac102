import { pageReply } from './page-reply.ts'
import { checkPlaygroundOptions } from './check-playground-options.ts'
import type { MountedPlaygroundOptions } from './playground-options.ts'

/** A fetch handler. It answers every request. A path that does not belong to the page gets 404. */
export type PlaygroundHandler = (request: Request) => Response

/**
 * Makes a fetch handler that serves the page, for Deno, Bun, workers, Hono and Next route handlers.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example Deno.serve(toPlaygroundHandler({ baseUrl: 'https://api.example' }))
 */
export function toPlaygroundHandler(options?: MountedPlaygroundOptions): PlaygroundHandler {
  const checked = checkPlaygroundOptions('toPlaygroundHandler', options)
  const { mountPath } = checked

  return ({ method, url, headers }) => {
    const target = url.slice(url.indexOf('/', url.indexOf('://') + 3))
    const ifNoneMatch = headers.get('if-none-match') ?? undefined
    const reply = pageReply({ method, target, mountPath, ifNoneMatch }, checked)
    if (!reply) return new Response('Not found', { status: 404 })
    const hasBody = reply.status === 200 && method === 'GET'
    return new Response(hasBody ? reply.body : null, reply)
  }
}
