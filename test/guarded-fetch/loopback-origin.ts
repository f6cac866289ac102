import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { testCertificate } from './test-certificate.ts'

export type LoopbackOrigin = Awaited<ReturnType<typeof loopbackOrigin>>

/**
 * A listener on every loopback address that remembers who came.
 * @param answer the bytes with which it answers each request head, or is called once for it, which is the nth on its
 * connection
 */
export async function loopbackOrigin(
  answer: string | Uint8Array | ((socket: Socket, head: string, nth: number) => void),
  { tls = false, host = '0.0.0.0' } = {},
) {
  const heads: string[] = []
  const connections: string[] = []
  const open = new Set<Socket>()
  let wakeIdle = () => {}
  const converse = (socket: Socket) => {
    let head = ''
    let requests = 0
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      // The next request on the connection. No body in these tests begins like this.
      if (/^[A-Z]+ \//.test(String(chunk))) head = ''
      if (head.includes('\r\n\r\n')) return
      head += String(chunk)
      if (!head.includes('\r\n\r\n')) return
      heads.push(head)
      if (typeof answer === 'function') answer(socket, head, ++requests)
      else socket.end(answer)
    })
  }
  const server = tls ? createTlsServer(testCertificate) : createServer()
  server.on('connection', (socket: Socket) => {
    connections.push(String(socket.localAddress))
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      if (open.size === 0) wakeIdle()
    })
  })
  server.on(tls ? 'secureConnection' : 'connection', converse)
  await once(server.listen(0, host), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    /** Its address by the name `a.test`. */
    url: `http://a.test:${port}/`,
    /** The head of each request, as it came. */
    heads,
    /** The local address of each connection ever made. */
    connections,
    /** Resolves when no connection is open. */
    idle: () => new Promise<void>((resolve) => (open.size === 0 ? resolve() : (wakeIdle = resolve))),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

/** A whole HTTP answer. */
export function httpAnswer(
  status: number,
  headers: Record<string, string | number>,
  body: string | Uint8Array = '',
) {
  const fields = { 'content-length': body.length, ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`), Buffer.from(body)])
}

export const redirect = (location: string, status = 302) => httpAnswer(status, { location })
