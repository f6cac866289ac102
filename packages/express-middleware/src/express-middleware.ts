import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GenerationService } from '@genmount/core'
import { createNodeResponder, type V1Options } from '@genmount/node-http'

/** What Express 4 and 5 add to a request of node:http, as far as it matters here. */
export interface ExpressRequest extends IncomingMessage {
  originalUrl: string
  baseUrl: string
  body?: unknown
}

/** Answers requests below `/v1`, and passes all others on. Never throws. */
export type ExpressMiddleware = (req: ExpressRequest, res: ServerResponse, next: () => void) => void

/**
 * The /v1 interface as a middleware of Express 4 and 5, to be mounted at any path, with or without `express.json()`
 * before it.
 * @throws TypeError that names the option at fault
 * @example app.use('/media', toExpressMiddleware(service, { authenticate: apiKeys({ alice: process.env.ALICE_KEY }) }))
 */
export function toExpressMiddleware(service: GenerationService, options: V1Options): ExpressMiddleware {
  const respond = createNodeResponder(service, options)

  return (req, res, next) => {
    // Express 4 sets an empty `body` on requests whose body nobody has read.
    const isParsed = req.readableDidRead && req.body !== undefined
    respond(req, res, {
      target: req.originalUrl,
      mountPath: req.baseUrl,
      ...(isParsed && { body: { value: req.body } }),
      next: () => next(),
    })
  }
}
