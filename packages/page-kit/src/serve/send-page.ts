import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageReply, type ServedPage } from './page-reply.ts'

/** Answers a request of node:http. @returns `true` if the path belongs to the page; `false` if nothing was sent */
export function sendPage(
  req: IncomingMessage,
  res: ServerResponse,
  place: { readonly target: string; readonly mountPath: string },
  served: ServedPage,
): boolean {
  const { method = 'GET', headers } = req
  const reply = pageReply({ ...place, method, ifNoneMatch: headers['if-none-match'] }, served)
  if (!reply) return false
  if (reply.status === 200) res.setHeader('content-length', new TextEncoder().encode(reply.body).byteLength)
  res.writeHead(reply.status, reply.headers).end(method === 'HEAD' ? undefined : reply.body)
  return true
}
