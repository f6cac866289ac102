import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The key of an owner at the attacked server. */
export const keyOf = (owner: string): string => `key-of-${owner}-5b1f3c`

export type Connections = ReturnType<typeof connectionsTo>

const openAtATime = 50

/** Raw TCP connections to the attacked server, because an attacker sends what no client library would send. */
export function connectionsTo(port: number) {
  const all = new Set<Socket>()

  /** Opens a connection. @returns `undefined` when the server accepts no more */
  async function open() {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    all.add(socket.once('close', () => all.delete(socket)))
    await once(socket, 'connect').catch(() => {})
    return socket.writable ? connectionOver(socket) : undefined
  }

  return {
    open,
    /** Opens `count` connections, a few at a time. */
    async openMany(count: number) {
      const opened: Awaited<ReturnType<typeof open>>[] = []
      while (opened.length < count) {
        const next = Math.min(openAtATime, count - opened.length)
        opened.push(...(await Promise.all(Array.from({ length: next }, open))))
      }
      return opened.filter((connection) => connection !== undefined)
    },
    closeAll() {
      for (const socket of all) socket.destroy()
    },
  }
}

export type Connection = ReturnType<typeof connectionOver>

function connectionOver(socket: Socket) {
  const said: string[] = []
  let hear: (() => void) | undefined
  socket.on('data', (chunk) => {
    said.push(chunk.toString('latin1').slice(0, 4096))
    hear?.()
  })
  socket.on('close', () => hear?.())
  return {
    /** Sends as fast as the server reads. @returns whether the connection is still open */
    send(bytes: string | Uint8Array): Promise<boolean> {
      if (!socket.writable) return Promise.resolve(false)
      return new Promise((resolve) => {
        const done = () => {
          socket.off('close', done)
          resolve(socket.writable)
        }
        socket.once('close', done)
        socket.write(bytes, done)
      })
    },
    /** Resolves with the beginning of the next answer, or with `''` when the server closes the connection. */
    async answer(): Promise<string> {
      while (said.length === 0 && !socket.closed) await new Promise<void>((resolve) => (hear = resolve))
      return said.splice(0).join('')
    },
    /** Stops reading what the server sends. */
    pause: () => void socket.pause(),
    close: () => void socket.destroy(),
  }
}

/** The request line and the headers of a request by the attacker, with the attacker's key unless `key` is set. */
export function head(
  method: string,
  path: string,
  fields: Readonly<Record<string, string | number>> = {},
  key: string = keyOf('attacker'),
): string {
  const lines = Object.entries({
    host: 'localhost',
    ...(key && { authorization: `Bearer ${key}` }),
    'content-type': 'application/json',
    ...fields,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** A complete create request by the attacker. */
export function create(body: string, path = '/v1/generate'): string {
  return head('POST', path, { 'content-length': Buffer.byteLength(body) }) + body
}
