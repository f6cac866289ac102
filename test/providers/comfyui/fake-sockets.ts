import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** The outcome of the next requests for a WebSocket. `silent` opens it and never sends anything. */
export type SocketFault = 'refused' | 'silent' | 'broken'

/**
 * `websocket_handler`, `send_image_with_metadata`, `send_bytes` and `send_json` of
 * https://github.com/Comfy-Org/ComfyUI server.py at 002c3fb (read in November 2026), with two of its habits: the later
 * of two clients of one id gets the messages, and when the earlier one leaves, the id is forgotten.
 * @param greetings what a client is sent at first: its place, and the node that runs when it is its prompt
 */
export function fakeSockets(greetings: (clientId: string) => Readonly<Record<string, object>>) {
  const clients = new Map<string, { readonly socket: Duplex; supportsMetadata: boolean }>()
  const sockets = new Set<Duplex>()
  const opened: { clientId: string; headers: IncomingMessage['headers'] }[] = []

  const chosen = (clientId: string | undefined) =>
    clientId === undefined ? [...clients.values()] : [clients.get(clientId) ?? []].flat()

  const text = (type: string, data: object) => frame(1, Buffer.from(JSON.stringify({ type, data })))

  const fake = {
    /** All that were opened, in order, with the client id that each has named. */
    opened,
    /** How many requests for a WebSocket there were. */
    asked: 0,
    /** How many clients have said that they accept previews with metadata. */
    greeted: 0,
    /** How many are open. */
    get open() {
      return sockets.size
    },
    fault: undefined as SocketFault | undefined,
    /** The header that a request must have, as for a proxy in front of ComfyUI. */
    authorization: undefined as string | undefined,
    /** Sends `{ type, data }` to the client; to all of them without a client id. */
    send(type: string, data: object, clientId?: string): void {
      for (const { socket } of chosen(clientId)) socket.write(text(type, data))
    },
    /** Sends a preview in the format that the client has asked for. */
    sendPreview(picture: Uint8Array, metadata: { readonly prompt_id: string }, clientId?: string): void {
      const about = Buffer.from(JSON.stringify({ ...metadata, image_type: 'image/jpeg' }))
      // A client without an id has no feature flags: main.py, hijack_progress.
      for (const { socket, supportsMetadata } of chosen(clientId)) {
        const isNew = supportsMetadata && clientId !== undefined
        const parts = isNew ? [uint32(4), uint32(about.length), about] : [uint32(1), uint32(1)]
        socket.write(frame(2, Buffer.concat([...parts, picture])))
      }
    },
    /** Sends bytes as they are. */
    sendBytes(bytes: Uint8Array, clientId?: string): void {
      for (const { socket } of chosen(clientId)) socket.write(bytes)
    },
    /** Cuts all connections. */
    cut(): void {
      for (const socket of sockets) socket.destroy()
    },
    upgrade(request: IncomingMessage, socket: Duplex): void {
      fake.asked++
      socket.on('error', () => {})
      const { headers } = request
      const isForeign = headers.origin !== undefined && new URL(headers.origin).host !== headers.host
      const isLetIn = fake.authorization === undefined || headers.authorization === fake.authorization
      if (fake.fault === 'refused' || isForeign || !isLetIn)
        return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      if (fake.fault === 'broken') return void socket.destroy()
      const clientId = new URL(request.url ?? '', 'http://fake').searchParams.get('clientId') ?? ''
      opened.push({ clientId, headers })
      sockets.add(socket)
      const accept = createHash('sha1')
        .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest('base64')
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      )
      socket.on('close', () => {
        sockets.delete(socket)
        clients.delete(clientId)
      })
      socket.on('end', () => socket.end())
      if (fake.fault === 'silent') return void socket.resume()
      const client = { socket, supportsMetadata: false }
      clients.set(clientId, client)
      for (const [type, data] of Object.entries(greetings(clientId))) socket.write(text(type, data))
      socket.once('data', (sent: Buffer) => {
        const { type, data } = JSON.parse(unmasked(sent))
        if (type !== 'feature_flags') return
        client.supportsMetadata = data.supports_preview_metadata === true
        if (client.supportsMetadata) fake.greeted++
        socket.write(text('feature_flags', { supports_preview_metadata: true, max_upload_size: 104_857_600 }))
      })
    },
  }
  return fake
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A frame of a server: RFC 6455, section 5.2. */
export function frame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

/** The text of a short masked frame. */
function unmasked(sent: Buffer): string {
  const start = (sent[1]! & 127) === 126 ? 8 : 6
  const mask = sent.subarray(start - 4, start)
  return Buffer.from(sent.subarray(start).map((byte, at) => byte ^ mask[at % 4]!)).toString()
}
