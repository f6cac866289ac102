import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GenerationService } from '@genmount/core'
import { checkMountPath, type MountedV1Options } from '@genmount/v1-interface'
import { createNodeResponder } from './node-responder.ts'

/** Answers every request, with 404 `route_not_found` outside of `mountPath`. Never throws. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void

/**
 * The /v1 interface as a request listener of node:http and node:https.
 * @throws TypeError that names the option at fault
 * @example createServer(toNodeHandler(service, { authenticate: apiKeys({ alice: process.env.ALICE_KEY }) })).listen(3000)
 */
export function toNodeHandler(service: GenerationService, options: MountedV1Options): NodeHandler {
  const respond = createNodeResponder(service, options)
  const mountPath = checkMountPath(options.mountPath)

  return (req, res) => respond(req, res, { target: req.url ?? '/', mountPath })
}
