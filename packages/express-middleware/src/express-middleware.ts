import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GenerationService } from '@genmount/core'
import {
  checkV1Options,
  nodeHeader,
  type NodeHost,
  nodeResponderOf,
  type V1Body,
  type V1Options,
} from '@genmount/node-http'

/** A request of Express 4 or 5: a request of node:http with the properties that the middleware reads. */
export interface ExpressRequest extends IncomingMessage {
  /** The request target as the client has sent it, before any router has changed it. */
  originalUrl: string
  /** The path under which the middleware is mounted: `''` or a path such as `/media`. */
  baseUrl: string
  /** What a parser such as `express.json()`, `express.raw()` or `express.text()` has made of the body. */
  body?: unknown
}

/** A middleware that answers requests below `/v1` and calls `next` for all others. It never throws. */
export type ExpressMiddleware<Req extends ExpressRequest = ExpressRequest> = (
  req: Req,
  res: ServerResponse,
  next: () => void,
) => void

/**
 * Makes the /v1 interface a middleware of Express 4 and 5. It can be mounted at any path, with or without
 * `express.json()`, `express.raw()` or `express.text()` before it.
 * @typeParam Req the type of the request that `authenticate` gets with `credentials: 'any'`, such as Express's own
 * `Request` with what the app's middlewares declare on it
 * @throws TypeError that names the wrong option and says what it accepts
 * @example app.use('/media', toExpressMiddleware(service, { authenticate: apiKeys({ alice: process.env.ALICE_KEY }) }))
 */
export function toExpressMiddleware<Req extends ExpressRequest = ExpressRequest>(
  service: GenerationService,
  options: V1Options<NodeHost<Req>>,
): ExpressMiddleware<Req> {
  const respond = nodeResponderOf(service, checkV1Options('toExpressMiddleware', service, options))

  return (req, res, next) => {
    // `req.body` alone does not show whether a parser has read the body, because Express 4 sets it to `{}` without a
    // parser.
    const isParsed = req.readableDidRead && req.body !== undefined
    respond(req, res, {
      target: req.originalUrl,
      mountPath: req.baseUrl,
      ...(isParsed && { body: bodyIn(req) }),
      next: () => next(),
    })
  }
}

/** The body as a parser has left it: its bytes from `express.raw()`, JSON from `express.text()`, or a value. */
function bodyIn(req: ExpressRequest): V1Body {
  const { body } = req
  // Of other types, such as pictures, the text may lack bytes that are no UTF-8.
  const isJson = nodeHeader(req, 'content-type')?.toLowerCase().includes('json')
  const bytes = typeof body === 'string' && isJson ? new TextEncoder().encode(body) : body
  if (!(bytes instanceof Uint8Array)) return { value: body }
  let isTaken = false
  return {
    read() {
      if (isTaken) return { done: true }
      isTaken = true
      return { value: bytes }
    },
    cancel() {},
  }
}
