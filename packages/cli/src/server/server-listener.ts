import type { RequestListener } from 'node:http'
import type { GenerationService } from '@genmount/core'
import { toFetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import { toNodeMcpHandler } from '@genmount/mcp/node'
import { type MountedV1Options, toNodeHandler } from '@genmount/node-http'
import { type MountedPlaygroundOptions, toPlaygroundNodeHandler } from '@genmount/playground'

/** Answers `/v1`, `/mcp` for agents, `/healthz` for load balancers, and everything else with the page. */
export function serverListener(
  service: GenerationService,
  options: MountedV1Options,
  page: MountedPlaygroundOptions,
): RequestListener {
  // `/v1` and `/mcp` each accept links that the other has signed, so they share one secret.
  const mounted = { ...options, linkSecret: options.linkSecret ?? crypto.randomUUID() }
  const v1 = toNodeHandler(service, mounted)
  const mcp = toNodeMcpHandler(toMcpHandler(toFetchHandler(service, mounted)))
  const playground = toPlaygroundNodeHandler(page)
  return async (req, res) => {
    // `//` is a valid target of a request, but has no URL.
    const pathname = URL.parse(req.url ?? '/', 'http://localhost')?.pathname
    if (pathname === '/mcp') return mcp(req, res)
    if (pathname !== '/healthz') return playground(req, res, () => v1(req, res))
    const { status } = await service.health()
    res.writeHead(status === 'ok' || status === 'degraded' ? 200 : 503).end(status)
  }
}
