import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { testCertificate } from '../guarded-fetch/test-certificate.ts'

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

export async function breakingVendor(): Promise<BreakingVendor> {
  const servers = new Set<Server>()
  const sockets = new Set<Socket>()
  const seen = new Map<string, number>()
  const places: Record<string, string> = {}

  async function listen(server: Server): Promise<number> {
    servers.add(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  /** Counts each piece of data as one whole request, because the requests of this test are small. */
  function serve(name: string, fate: Fate, server: () => Server) {
    return (socket: Socket) => {
      sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)))
      let requests = 0
      socket.on('data', (piece) => {
        if (!/^[A-Z]+ \//.test(piece.toString('latin1'))) return
        seen.set(name, (seen.get(name) ?? 0) + 1)
        fate(socket, ++requests, server())
      })
    }
  }

  for (const [name, fate] of Object.entries(fates)) {
    const server: Server = createServer(serve(name, fate, () => server))
    places[name] = `http://127.0.0.1:${await listen(server)}`
  }
  const cut = 'cuts TLS when it has read the request'
  const stranger = 'has a certificate of its own'
  for (const name of [cut, stranger]) {
    const server: Server = createTlsServer(
      testCertificate,
      serve(
        name,
        (socket) => socket.destroy(),
        () => server,
      ),
    )
    server.on('tlsClientError', () => {})
    places[name] = `https://127.0.0.1:${await listen(server)}`
  }
  // No server of a test gets this port from the system.
  places['does not listen'] = 'http://127.0.0.1:3'
  places['has no address'] = 'http://vendor.invalid'
  const crowded = await crowdedServer()
  places['does not take the connection'] = `http://127.0.0.1:${crowded.port}`

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
  const listening = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', listening], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(line)
  child.kill('SIGSTOP')
  while (!/\) T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))) await delay(5)
  const queued = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  await once(queued[0]!, 'connect')
  return {
    port,
    close() {
      for (const socket of queued) socket.destroy()
      child.kill('SIGKILL')
    },
  }
}
