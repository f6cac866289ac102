import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { toNodeMcpHandler } from '@genmount/mcp/node'
import { listen } from '../../loopback.ts'
import { keys, linkSecret, mcpService } from './mcp-service.ts'

/** The service and its MCP endpoint on node:http. */
export async function startOnNode(...options: Parameters<typeof mcpService>) {
  const made = mcpService(...options)
  const v1 = toNodeHandler(made.service, { authenticate: apiKeys(keys), linkSecret })
  const mcp = toNodeMcpHandler(made.mcp)
  made.service.start()
  const { origin, stop } = await listen((req, res) => void (req.url === '/mcp' ? mcp : v1)(req, res))
  return {
    ...made,
    baseUrl: origin,
    async stop() {
      await stop()
      await made.service.close()
    },
  }
}
