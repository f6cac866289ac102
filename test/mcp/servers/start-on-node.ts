import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { toNodeMcpHandler } from '@genmount/mcp/node'
import { keys, linkSecret, mcpService } from './mcp-service.ts'

/** Listens on loopback. */
export async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    server,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The service and its MCP endpoint on node:http. */
export async function startOnNode(...options: Parameters<typeof mcpService>) {
  const made = mcpService(...options)
  const v1 = toNodeHandler(made.service, { authenticate: apiKeys(keys), linkSecret })
  const mcp = toNodeMcpHandler(made.mcp)
  made.service.start()
  const { stop, ...listening } = await listen((req, res) => void (req.url === '/mcp' ? mcp : v1)(req, res))
  return {
    ...made,
    ...listening,
    async stop() {
      stop()
      await made.service.close()
    },
  }
}
