import { once } from 'node:events'
import { type AddressInfo, Server } from 'node:net'

/** @returns the servers that the code has started since, in that order. Each listens on a free port instead of its own */
export function listenOnFreePorts(): Server[] {
  const started: Server[] = []
  const { listen } = Server.prototype
  Server.prototype.listen = function (this: Server) {
    started.push(this)
    return listen.call(this, { port: 0, host: '127.0.0.1' })
  }
  return started
}

/** The port of a server, as soon as the server listens. */
export async function portOf(server: Server): Promise<number> {
  if (!server.listening) await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
