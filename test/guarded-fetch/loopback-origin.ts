import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { testCertificate } from './test-certificate.ts'

/** A listener on every loopback address that answers with raw bytes and remembers who came. */
export interface LoopbackOrigin extends AsyncDisposable {
  readonly port: number
  /** Its address by the name `a.test`. */
  readonly url: string
  /** The head of each request, as it came. */
  readonly heads: string[]
  /** The local address of each connection ever made. */
  readonly connections: string[]
  /** Resolves when no connection is open. */
  idle(): Promise<void>
}

export interface LoopbackOptions {
  readonly tls?: boolean
  readonly host?: string
}

/** Answers each request head with these bytes, or calls `answer` once for it. */
export async function loopbackOrigin(
  answer: string | Uint8Array | ((socket: Socket, head: string) => void),
  { tls = false, host = '0.0.0.0' }: LoopbackOptions = {},
): Promise<LoopbackOrigin> {
  const heads: string[] = []
  const connections: string[] = []
  const open = new Set<Socket>()
  let wakeIdle = () => {}
  const converse = (socket: Socket) => {
    let head = ''
    socket.on('data', (chunk) => {
      if (head.includes('\r\n\r\n')) return
      head += String(chunk)
      if (!head.includes('\r\n\r\n')) return
      heads.push(head)
      if (typeof answer === 'function') answer(socket, head)
      else socket.end(answer)
    })
    socket.on('error', () => {})
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
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://a.test:${port}/`,
    heads,
    connections,
    idle: () => new Promise((resolve) => (open.size === 0 ? resolve() : (wakeIdle = resolve))),
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
