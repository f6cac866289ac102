/* Serves the MCP endpoint on Node or Deno for a test that weighs the calls that wait. Needs `--expose-gc`. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import { toNodeMcpHandler } from '@genmount/mcp/node'
import { statelessProvider } from '../../attacks/server/stateless-provider.ts'
import { answerParent, settledHeap } from '../../bench/answer-parent.ts'
import { keys } from './mcp-service.ts'

const service = createGenerationService({
  providers: [statelessProvider()],
  log: { warn() {}, error() {} },
})
service.start()
const mcp = toMcpHandler(toFetchHandler(service, { authenticate: apiKeys(keys) }))
const { Deno } = globalThis as { readonly Deno?: { serve(options: object, handler: typeof mcp): unknown } }
const hostname = '127.0.0.1'

async function listenOnNode(): Promise<number> {
  const server = createServer(toNodeMcpHandler(mcp))
  // Idle connections must stay open, because the calls are compared with them.
  server.keepAliveTimeout = 0
  await once(server.listen(0, hostname), 'listening')
  return (server.address() as AddressInfo).port
}

const listenOnDeno = () =>
  new Promise<number>((resolve) => {
    const onListen = ({ port }: AddressInfo) => resolve(port)
    Deno!.serve({ hostname, port: 0, onListen }, (request) => mcp(request))
  })

const port = await (Deno ? listenOnDeno() : listenOnNode())

const calls = {
  port: () => port,
  waiters: async () => (await service.health()).waiters,
  heap: settledHeap,
}
export type HeldCallsServer = typeof calls
answerParent(calls)
