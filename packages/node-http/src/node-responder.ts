import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GenerationService } from '@genmount/core'
import { createV1Interface, v1Path, type V1Body, type V1Options, type V1Reply } from '@genmount/v1-interface'
import { nodeHeader, nodeHeaders } from './node-header.ts'
import { sendReply } from './send-reply.ts'
import { streamBody } from './stream-body.ts'

/** Where a request stands in an app whose router is not ours. */
export interface NodeMount {
  /** The request target before any router has changed it. */
  readonly target: string
  /** The part of the path that is not the interface's: `''` or a path such as `/media`. */
  readonly mountPath: string
  /** The body, where somebody has read it already. @default read from the request */
  readonly body?: V1Body
  /** Called for a path that is not the interface's. @default 404 `route_not_found` */
  readonly next?: () => void
}

export type NodeResponder = (req: IncomingMessage, res: ServerResponse, mount: NodeMount) => void

/** What `toNodeHandler` and the middlewares of frameworks over node:http are made of. */
export function createNodeResponder(service: GenerationService, options: V1Options): NodeResponder {
  const answer = createV1Interface(service, options)

  async function send(req: IncomingMessage, res: ServerResponse, reply: V1Reply): Promise<void> {
    try {
      await sendReply(req, res, reply)
    } catch (cause) {
      res.destroy()
      service.log.error('A reply could not be sent.', cause)
    }
  }

  return (req, res, { target, mountPath, body, next }) => {
    const path = v1Path(target, mountPath)
    if (path === undefined && next) return next()
    void answer({
      method: req.method ?? 'GET',
      path,
      mountPath,
      scheme: 'encrypted' in req.socket ? 'https' : 'http',
      header: (name) => nodeHeader(req, name),
      headers: () => nodeHeaders(req),
      body: () => body ?? streamBody(req),
      onLeave: (leave) => onLeave(res, leave),
    }).then((reply) => send(req, res, reply))
  }
}

/** Only this tells that the client is gone: `req` closes as soon as its body has been read. */
function onLeave(res: ServerResponse, leave: () => void): () => void {
  const onClose = () => {
    if (!res.writableFinished) leave()
  }
  if (res.closed) onClose()
  // Not `once`, which wraps the listener to take it off.
  res.on('close', onClose)
  return () => res.off('close', onClose)
}
