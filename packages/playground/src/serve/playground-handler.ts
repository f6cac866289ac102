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
    // A guard of the app may see another path in what a runtime makes of a Host header such as `a?b`.
    const hasOnePath = URL.parse(url)?.pathname === target.split('?', 1)[0]
    const reply = hasOnePath && pageReply({ method, target, mountPath, ifNoneMatch }, checked)
    if (!reply) return new Response('Not found', { status: 404 })
    const hasBody = reply.status === 200 && method === 'GET'
    return new Response(hasBody ? reply.body : null, reply)
  }
}
