import { createServer, type RequestListener, type Server } from 'node:http'

/** More than the 10,000 requests that may wait for their jobs. */
const maxConnections = 15_000

/**
 * A server that bounds what a client can hold without a complete request: the number of connections, and the time for
 * headers and for the whole request. The /v1 interface has stricter limits for the bodies that it reads.
 */
export function boundedServer(listener: RequestListener): Server {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 300_000, connectionsCheckingInterval: 1000 },
    listener,
  )
  server.maxConnections = maxConnections
  return server
}
