import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GenerationService } from '@genmount/core'
import { checkMountedOptions, type MountedV1Options } from '@genmount/v1-interface'
import { type NodeHost, nodeResponderOf } from './node-responder.ts'

/**
 * A request listener of node:http and node:https. It answers every request; a path outside of `mountPath`
 * gets 404 `route_not_found`. It never throws.
 */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => void

/**
 * Makes the /v1 interface a request listener of node:http and node:https.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example createServer(toNodeHandler(service, { authenticate: apiKeys({ alice: process.env.ALICE_KEY }) })).listen(3000)
 */
export function toNodeHandler(service: GenerationService, options: MountedV1Options<NodeHost>): NodeHandler {
  const [mountPath, checked] = checkMountedOptions('toNodeHandler', service, options)
  const respond = nodeResponderOf(service, checked)

  return (req, res) => respond(req, res, { target: req.url ?? '/', mountPath })
}
