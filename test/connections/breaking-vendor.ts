import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { testCertificate } from '../guarded-fetch/test-certificate.ts'
import { launchServer } from '../processes/start-server.ts'

/** Servers on the loopback. Each of them breaks connections or requests in another way. */
export interface BreakingVendor {
  /** The address of each server, by its name. */
  readonly places: Readonly<Record<string, string>>
  /** How many requests have reached the server. */
  seen(name: string): number
  close(): Promise<void>
}

const kept = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
const half = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 200\r\n\r\n{"id":'

/** What a server does with the nth request on a connection. */
type Fate = (socket: Socket, nth: number, server: Server) => void

const fates: Record<string, Fate> = {
  'resets when it has read the request': (socket) => void socket.resetAndDestroy(),
  'closes when it has read the request': (socket) => void socket.end(),
  'resets a kept connection when it has read the second request': (socket, nth) =>
    void (nth === 1 ? socket.write(kept) : socket.resetAndDestroy()),
  'is gone when it has read the request': (socket, _nth, server) => {
    server.close()
    socket.resetAndDestroy()
  },
  'is gone when it has read the second request of a kept connection': (socket, nth, server) => {
    if (nth === 1) return void socket.write(kept)
    server.close()
    socket.resetAndDestroy()
  },
  'answers half of it': (socket) => void socket.end(half),
  'does not answer': () => {},
}

const tlsFates: Record<string, Fate> = {
  'cuts TLS when it has read the request': (socket) => void socket.destroy(),
  'has a certificate of its own': (socket) => void socket.destroy(),
}

export async function breakingVendor(): Promise<BreakingVendor> {
  const servers = new Set<Server>()
  const sockets = new Set<Socket>()
  const seen = new Map<string, number>()
  const crowded = await crowdedServer()
  const places: Record<string, string> = {
    // No server of a test gets this port from the system.
    'does not listen': 'http://127.0.0.1:3',
    'has no address': 'http://vendor.invalid',
    'does not take the connection': crowded.origin,
  }

  async function listen(name: string, fate: Fate, scheme: 'http' | 'https'): Promise<void> {
    // Counts each piece of data as one whole request, because the requests of this test are small.
    const serve = (socket: Socket) => {
      sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)))
      let requests = 0
      socket.on('data', (piece) => {
        if (!/^[A-Z]+ \//.test(piece.toString('latin1'))) return
        seen.set(name, (seen.get(name) ?? 0) + 1)
        fate(socket, ++requests, server)
      })
    }
    const server: Server = scheme === 'http' ? createServer(serve) : createTlsServer(testCertificate, serve)
    servers.add(server.on('tlsClientError', () => {}))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    places[name] = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  for (const [name, fate] of Object.entries(fates)) await listen(name, fate, 'http')
  for (const [name, fate] of Object.entries(tlsFates)) await listen(name, fate, 'https')
  return {
    places,
    seen: (name) => seen.get(name) ?? 0,
    async close() {
      crowded.close()
      for (const socket of sockets) socket.destroy()
      await Promise.all([...servers].map((server) => server.listening && once(server.close(), 'close')))
    },
  }
}

/** A server whose process stands still and whose queue of new connections is full, so the system accepts no more of them. */
async function crowdedServer() {
  const listening = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(JSON.stringify(this.address())) })`
  const { process: server, origin, greeting } = await launchServer([process.execPath, '-e', listening])
  await server.freeze()
  const queued = Array.from({ length: 4 }, () => connect(greeting.port, '127.0.0.1').on('error', () => {}))
  await once(queued[0]!, 'connect')
  return {
    origin,
    close() {
      for (const socket of queued) socket.destroy()
      void server.kill()
    },
  }
}
