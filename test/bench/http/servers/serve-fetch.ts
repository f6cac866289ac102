import { host } from '../../workload.ts'

type Fetch = (request: Request) => Response | Promise<Response>
declare const Bun: {
  serve(options: { fetch: Fetch; hostname: string; port: number }): { port: number }
}
declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: () => void },
    handler: Fetch,
  ): { addr: { port: number } }
}

/** Serves a fetch handler with the own server of the runtime, Bun or Deno. @returns its origin */
export function serveFetch(fetch: Fetch, ownPort = 0): string {
  const options = { hostname: host, port: ownPort }
  const { port } =
    'Bun' in globalThis
      ? Bun.serve({ ...options, fetch })
      : Deno.serve({ ...options, onListen() {} }, fetch).addr
  return `http://${host}:${port}`
}
