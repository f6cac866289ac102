import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/** A server on a free port of the loopback interface. */
export interface LoopbackServer {
  readonly origin: string
  /** Cuts all connections. Resolves when nothing is left of it. */
  stop(): Promise<void>
}

/** @param upgrade takes the requests for a WebSocket, whose connections it closes itself. @default they are answered as others */
export async function listen(
  listener: RequestListener,
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Promise<LoopbackServer> {
  const server = createServer(listener)
  if (upgrade) server.on('upgrade', upgrade)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: originOf(server), stop: () => stopped(server) }
}

export function originOf(server: { address(): AddressInfo | string | null }): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function stopped(server: Pick<Server, 'close' | 'closeAllConnections'>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
