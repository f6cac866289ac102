import { pageReply, type ServedPage } from './page-reply.ts'

/** @returns a fetch handler that serves the page at its path, and answers all other paths with 404 */
export function pageHandler(served: ServedPage, mountPath: string): (request: Request) => Response {
  return ({ method, url, headers }) => {
    const target = url.slice(url.indexOf('/', url.indexOf('://') + 3))
    const ifNoneMatch = headers.get('if-none-match') ?? undefined
    // A guard of the app may see another path in what a runtime makes of a Host header such as `a?b`.
    const hasOnePath = URL.parse(url)?.pathname === target.split('?', 1)[0]
    const reply = hasOnePath && pageReply({ method, target, mountPath, ifNoneMatch }, served)
    if (!reply) return new Response('Not found', { status: 404 })
    const hasBody = reply.status === 200 && method === 'GET'
    return new Response(hasBody ? reply.body : null, reply)
  }
}
