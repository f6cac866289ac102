import { toNodeMcpHandler } from '@genmount/mcp/node'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { onTestFinished } from 'vitest'
import { listen } from '../../loopback.ts'
import { connectOverHttp, type Era } from '../connect.ts'
import { keys, linkSecret, mcpService } from './mcp-service.ts'

/** The service and its MCP endpoint on node:http. The caller stops it. */
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

/** The service and its endpoint on node:http, until the test has finished. */
export async function start(...options: Parameters<typeof mcpService>) {
  const started = await startOnNode(...options)
  onTestFinished(started.stop)
  const connect = async (key?: string, era?: Era) => {
    const client = await connectOverHttp(started.baseUrl, era, key)
    onTestFinished(() => client.close())
    return client
  }
  return { ...started, connect }
}

/** The service and its endpoint without a host, until the test has finished. */
export function inProcess(...options: Parameters<typeof mcpService>) {
  const made = mcpService(...options)
  onTestFinished(async () => void (await made.service.close()))
  return made
}
