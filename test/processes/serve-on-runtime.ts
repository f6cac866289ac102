import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

type Fetch = (request: Request) => Promise<Response>

interface Address {
  readonly port: number
}

const { Bun, Deno } = globalThis as {
  readonly Bun?: { serve(options: object): Address }
  readonly Deno?: { serve(options: object, handler: Fetch): unknown }
}

/**
 * Serves with the own server of the runtime that runs this script, and prints the greeting of a server: its port, and what
 * `greeting` adds.
 * @param fetch answers on Bun and Deno
 * @param listener answers on Node
 */
export function serveOnRuntime(fetch: Fetch, listener?: RequestListener, greeting: object = {}): void {
  const hostname = '127.0.0.1'
  const onListen = ({ port }: Address) => console.log(JSON.stringify({ port, ...greeting }))
  if (Deno) {
    Deno.serve({ hostname, port: 0, onListen }, fetch)
  } else if (Bun) {
    // Requests may wait for longer than the 10 seconds after which Bun ends them, and have bodies of more than 128 MB.
    onListen(Bun.serve({ fetch, hostname, port: 0, idleTimeout: 120, maxRequestBodySize: 1e9 }))
  } else {
    const server = createServer(listener)
    server.listen(0, hostname, () => onListen(server.address() as AddressInfo))
  }
}
