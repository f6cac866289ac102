import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GenerationService } from '@genmount/core'
import {
  type CheckedV1Options,
  checkV1Options,
  v1InterfaceOf,
  type V1Body,
  type V1Options,
  type V1Reply,
} from '@genmount/v1-interface'
import { nodeHeader, nodeHeaders, nodeScheme } from './node-request.ts'
import { sendReply, streamBody } from './send-reply.ts'

/** What the router of a framework provides about one request. */
export interface NodeMount {
  /** The request target as the client has sent it, before any router has changed it. */
  readonly target: string
  /** The part of the path in front of `/v1`: `''` or a path such as `/media`. */
  readonly mountPath: string
  /** The body, if the app has already read it. @default the body is read from the request */
  readonly body?: V1Body
  /**
   * Called for a path that does not belong to the interface. @default the client gets 404 `route_not_found`
   */
  readonly next?: () => void
}

/** Answers one request of node:http. It never throws: errors are logged, and the client gets an error reply. */
export type NodeResponder<Req extends IncomingMessage = IncomingMessage> = (
  req: Req,
  res: ServerResponse,
  mount: NodeMount,
) => void

/** What is passed to `authenticate` with `credentials: 'any'`. */
export interface NodeHost<Req extends IncomingMessage = IncomingMessage> {
  /** The request, with the properties that middlewares have set on it, such as `session`. */
  readonly request: Req
}

/**
 * Makes the /v1 interface a function over the requests of node:http. `toNodeHandler` and the Express
 * middleware are built on it; use it to write the middleware of another framework over node:http.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example
 * const respond = createNodeResponder(service, { authenticate: apiKeys({ alice: process.env.ALICE_KEY }) })
 * router.use((req, res, next) => respond(req, res, { target: req.originalUrl, mountPath: req.baseUrl, next }))
 */
export function createNodeResponder<Req extends IncomingMessage = IncomingMessage>(
  service: GenerationService,
  options: V1Options<NodeHost<Req>>,
): NodeResponder<Req> {
  return nodeResponderOf(service, checkV1Options('createNodeResponder', service, options))
}

/** The same with options that an adapter has checked under its own name, by `checkV1Options`. */
export function nodeResponderOf<Req extends IncomingMessage = IncomingMessage>(
  service: GenerationService,
  checked: CheckedV1Options<NodeHost<Req>>,
): NodeResponder<Req> {
  const answer = v1InterfaceOf(service, checked)

  return (req, res, { target, mountPath, body, next }) => {
    const path = answer.pathOf(target, mountPath)
    if (path === undefined && next) return next()
    // Only this flag is kept while the request waits, and not its body.
    let isBodyTaken = false
    const onTaken = () => void (isBodyTaken = true)
    void answer({
      method: req.method ?? 'GET',
      path,
      target,
      mountPath,
      scheme: nodeScheme(req),
      header: (name) => nodeHeader(req, name),
      headers: () => nodeHeaders(req),
      fromHost: { request: req },
      body: () => body ?? streamBody(req, onTaken),
      onLeave: (leave) => onLeave(res, leave),
    }).then((reply) => send(req, res, reply, isBodyTaken))
  }

  function send(req: IncomingMessage, res: ServerResponse, reply: V1Reply, isBodyTaken: boolean): void {
    const giveUp = (cause: unknown) => {
      res.destroy()
      service.log.error('A reply could not be sent.', { cause })
    }
    // The client reconnects for its next request, and a load balancer can route this connection to another process.
    if (service.isClosing) res.shouldKeepAlive = false
    try {
      sendReply(req, res, reply, isBodyTaken)?.catch(giveUp)
    } catch (cause) {
      giveUp(cause)
    }
  }
}

/**
 * Calls `leave` when the client closes the connection before the reply is complete. `res` is watched and not
 * `req`, because `req` closes as soon as its body has been read.
 */
function onLeave(res: ServerResponse, leave: () => void): () => void {
  const onClose = () => {
    if (!res.writableFinished) leave()
  }
  if (res.closed) onClose()
  // Not `once`: it makes a wrapper around each listener, and many requests may wait at the same time.
  res.on('close', onClose)
  return () => res.off('close', onClose)
}
