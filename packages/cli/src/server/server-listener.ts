import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { GenerationService } from '@genmount/core'
import { toFetchHandler } from '@genmount/fetch-handler'
import { guardedFetch } from '@genmount/guarded-fetch'
import { toMcpHandler } from '@genmount/mcp'
import { toNodeMcpHandler } from '@genmount/mcp/node'
import { type MountedV1Options, toNodeHandler } from '@genmount/node-http'
import type { OperatorNodeHandler } from '@genmount/operator/page'
import { openaiInterface } from '@genmount/openai-interface'
import { type MountedPlaygroundOptions, toPlaygroundNodeHandler } from '@genmount/playground'
import { openapiDocument } from '@genmount/v1-interface/openapi'
import type { HostGate } from './host-gate.ts'

/** What the server serves beside `/v1`, and to whom. */
export interface ServerDoors {
  readonly page: MountedPlaygroundOptions
  /** The page of operators, at `/operator`. @default the server has no operators */
  readonly operatorPage?: OperatorNodeHandler | undefined
  /** The key that the page gets when it is opened by a link with this key. @default no link gives the page a key */
  readonly linkKey?: string | undefined
  readonly refuseHost: HostGate
}

/**
 * Answers `/v1`, `/openai/v1` for OpenAI's SDKs, `/mcp` for agents, `/healthz` for load balancers, `/operator` for operators if
 * there are any, and everything else with the playground.
 */
export function serverListener(
  service: GenerationService,
  options: MountedV1Options,
  { page, operatorPage, linkKey, refuseHost }: ServerDoors,
): RequestListener {
  // `/v1` and `/mcp` each accept links that the other has signed, so they share one secret.
  const mounted = {
    ...options,
    linkSecret: options.linkSecret ?? crypto.randomUUID(),
    openapi: openapiDocument(),
    interfaces: [openaiInterface({ fetch: guardedFetch })],
  }
  const v1 = toNodeHandler(service, mounted)
  const mcp = toNodeMcpHandler(toMcpHandler(toFetchHandler(service, mounted)))
  const playground = toPlaygroundNodeHandler(page)
  const playgroundWithKey = toPlaygroundNodeHandler({ ...page, publicKey: linkKey })
  const hasKey = (query = '') =>
    linkKey !== undefined && isSame(new URLSearchParams(query).get('key'), linkKey)

  return async (req, res) => {
    const [path = '', query] = (req.url ?? '/').split('?', 2)
    const keepAlive = res.shouldKeepAlive
    // Node would read an unwanted body to its end, however long it is.
    if (hasBody(req)) res.shouldKeepAlive = false
    if (refuseHost(req, res)) return
    if (path === '/mcp' || /^\/(?:openai\/)?v1/.test(path)) res.shouldKeepAlive = keepAlive
    if (path === '/mcp') return mcp(req, res)
    if (operatorPage && /^\/operator\/?$/.test(path)) return operatorPage(req, res)
    if (path !== '/healthz')
      return (hasKey(query) ? playgroundWithKey : playground)(req, res, () => v1(req, res))
    const { status } = await service.health()
    res.writeHead(status === 'ok' || status === 'degraded' ? 200 : 503).end(status)
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Takes the same time wherever the texts differ. */
function isSame(text: string | null, secret: string): boolean {
  const digest = (value: string) => hash('sha256', value, 'buffer')
  return timingSafeEqual(digest(text ?? ''), digest(secret))
}
