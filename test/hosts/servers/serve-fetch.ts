export type FetchHandler = (request: Request) => Promise<Response>

interface Runtimes {
  readonly Bun?: {
    serve(options: { fetch: FetchHandler; hostname: string; port: number; idleTimeout?: number }): {
      port: number
    }
  }
  readonly Deno?: {
    serve(
      options: { hostname: string; port: number; onListen: (address: { port: number }) => void },
      handler: FetchHandler,
    ): unknown
  }
}

const { Bun, Deno } = globalThis as Runtimes

/**
 * Serves the handler on loopback with the HTTP server of Bun or Deno. @returns the port; on Node `undefined`
 * @param bunOptions those of Bun, such as the seconds for which it keeps a connection that stands still
 */
export async function serveFetch(
  fetch: FetchHandler,
  bunOptions: { readonly idleTimeout?: number } = {},
): Promise<number | undefined> {
  const address = { hostname: '127.0.0.1', port: 0 }
  if (Bun) return Bun.serve({ ...address, ...bunOptions, fetch }).port
  if (!Deno) return undefined
  return new Promise((resolve) => Deno.serve({ ...address, onListen: ({ port }) => resolve(port) }, fetch))
}
