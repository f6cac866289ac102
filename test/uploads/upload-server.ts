/* Takes uploads into the given folder on the runtime that runs this script, and prints its port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { diskFiles } from '@genmount/files-disk'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toNodeHandler } from '@genmount/node-http'
import { fakeProvider } from '@genmount/testing'
import { peakMemory } from '../peak-memory.ts'

type Fetch = (request: Request) => Promise<Response>
declare const Bun: {
  serve(options: { fetch: Fetch; hostname: string; port: number; maxRequestBodySize: number }): {
    port: number
  }
}
declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (address: { port: number }) => void },
    handler: Fetch,
  ): unknown
}

const [folder = ''] = process.argv.slice(2)
const service = createGenerationService({
  providers: [fakeProvider()],
  files: diskFiles({ folder }),
  uploads: { maxBytes: 1e9 },
  log: { warn() {}, error: console.error },
})
await service.ready()
const options = { authenticate: apiKeys({ alice: 'alice-key-0123456789' }) }
const handle = toFetchHandler(service, options)
const hostname = '127.0.0.1'
const fetch: Fetch = async (request) =>
  request.url.endsWith('/rss') ? new Response(String(peakMemory())) : handle(request)

if ('Bun' in globalThis) {
  console.log(Bun.serve({ fetch, hostname, port: 0, maxRequestBodySize: 1e9 }).port)
} else if ('Deno' in globalThis) {
  Deno.serve({ hostname, port: 0, onListen: ({ port }) => console.log(port) }, fetch)
} else {
  const listener = toNodeHandler(service, options)
  const server = createServer((req, res) =>
    req.url === '/rss' ? void res.end(String(peakMemory())) : void listener(req, res),
  )
  server.listen(0, hostname, () => console.log((server.address() as AddressInfo).port))
}
