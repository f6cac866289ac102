import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type LoopbackOrigin, loopbackOrigin } from '../guarded-fetch/loopback-origin.ts'
import { launchServer } from '../processes/start-server.ts'

const kept = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
const half = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 200\r\n\r\n{"id":'

/** What a server does with the nth request on a connection. `leave` closes the server. */
type Fate = (socket: Socket, nth: number, leave: () => void) => void

const fates: Record<string, Fate> = {
  'resets when it has read the request': (socket) => void socket.resetAndDestroy(),
  'closes when it has read the request': (socket) => void socket.end(),
  'resets a kept connection when it has read the second request': (socket, nth) =>
    void (nth === 1 ? socket.write(kept) : socket.resetAndDestroy()),
  'is gone when it has read the request'(socket, _nth, leave) {
    socket.resetAndDestroy()
    leave()
  },
  'is gone when it has read the second request of a kept connection'(socket, nth, leave) {
    if (nth === 1) return void socket.write(kept)
    socket.resetAndDestroy()
    leave()
  },
  'answers half of it': (socket) => void socket.end(half),
  'does not answer': () => {},
}

const tlsFates: Record<string, Fate> = {
  'cuts TLS when it has read the request': (socket) => void socket.destroy(),
  'has a certificate of its own': (socket) => void socket.destroy(),
}

export type BreakingVendor = Awaited<ReturnType<typeof breakingVendor>>

/** Starts servers on the loopback. Each of them breaks connections or requests in another way. */
export async function breakingVendor() {
  const crowded = await crowdedServer()
  const origins: Record<string, LoopbackOrigin> = {}
  /** The address of each server, by its name. */
  const places: Record<string, string> = {
    // No server of a test gets this port from the system.
    'does not listen': 'http://127.0.0.1:3',
    'has no address': 'http://vendor.invalid',
    'does not take the connection': crowded.origin,
  }
  for (const [name, fate] of Object.entries({ ...fates, ...tlsFates })) {
    const tls = name in tlsFates
    const leave = () => void origins[name]?.[Symbol.asyncDispose]()
    const origin = await loopbackOrigin((socket, _head, nth) => fate(socket, nth, leave), { tls })
    origins[name] = origin
    places[name] = `${tls ? 'https' : 'http'}://127.0.0.1:${origin.port}`
  }
  return {
    places,
    /** How many requests have reached the server. */
    seen: (name: string) => origins[name]?.heads.length ?? 0,
    async close() {
      crowded.close()
      for (const origin of Object.values(origins)) await origin[Symbol.asyncDispose]()
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
