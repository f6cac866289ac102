import { host } from '../../workload.ts'

declare const Bun: {
  serve(options: { fetch: Fetch; hostname: string; port: number }): { port: number }
}
declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (address: { port: number }) => void },
    handler: Fetch,
  ): unknown
}

type Fetch = (request: Request) => Response | Promise<Response>

/** Serves a fetch handler with the own server of the runtime, Bun or Deno. */
export function serveFetch(fetch: Fetch, onListen: (port: number) => void): void {
  if ('Bun' in globalThis) onListen(Bun.serve({ fetch, hostname: host, port: 0 }).port)
  else Deno.serve({ hostname: host, port: 0, onListen: ({ port }) => onListen(port) }, fetch)
}
