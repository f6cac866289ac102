import { onTestFinished } from 'vitest'
import { connectOverHttp, type Era } from '../connect.ts'
import { mcpService } from './mcp-service.ts'
import { startOnNode } from './start-on-node.ts'

/** The service and its endpoint on node:http, until the test has finished. */
export async function start(...options: Parameters<typeof startOnNode>) {
  const started = await startOnNode(...options)
  onTestFinished(() => started.stop())
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
