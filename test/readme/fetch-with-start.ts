import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { proceduralProvider } from '@genmount/provider-procedural'

/** The address at which `npm start` serves. */
const address = 'http://127.0.0.1:3000'

/** @returns a fetch for which there is the server of `npm start`. The server keeps no process running. */
export async function fetchWithStart(): Promise<typeof globalThis.fetch> {
  const service = createGenerationService({ providers: [proceduralProvider()], uploads: {} })
  const authenticate = apiKeys({ dev: 'dev-key' })
  const server = createServer(toNodeHandler(service, { authenticate })).unref()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { fetch } = globalThis
  return (input, init) =>
    fetch(typeof input === 'string' ? input.replace(address, `http://127.0.0.1:${port}`) : input, init)
}
