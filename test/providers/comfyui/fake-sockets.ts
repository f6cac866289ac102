import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

/** The outcome of the next requests for a WebSocket. `silent` opens it and never sends anything. */
export type SocketFault = 'refused' | 'silent' | 'broken'

/** A client, with the connection below its WebSocket. */
export interface Client {
  readonly client: WebSocket
  readonly socket: Duplex
  readonly supportsMetadata: boolean
}

/**
 * `websocket_handler`, `send_image_with_metadata`, `send_bytes` and `send_json` of
 * https://github.com/Comfy-Org/ComfyUI server.py at 002c3fb (read in November 2026), with two of its habits: the later
 * of two clients of one id gets the messages, and when the earlier one leaves, the id is forgotten.
 * @param greetings what a client is sent at first: its place, and the node that runs when it is its prompt
 */
export function fakeSockets(greetings: (clientId: string) => Readonly<Record<string, object>>) {
  const server = new WebSocketServer({ noServer: true })
  const clients = new Map<string, Client>()
  const opened: { clientId: string; headers: IncomingMessage['headers'] }[] = []

  const chosen = (clientId: string | undefined) =>
    clientId === undefined ? [...clients.values()] : [clients.get(clientId) ?? []].flat()

  const fake = {
    /** All that were opened, in order, with the client id that each has named. */
    opened,
    /** How many requests for a WebSocket there were. */
    asked: 0,
    /** How many clients have said that they accept previews with metadata. */
    greeted: 0,
    /** How many are open. */
    get open() {
      return server.clients.size
    },
    fault: undefined as SocketFault | undefined,
    /** The header that a request must have, as for a proxy in front of ComfyUI. */
    authorization: undefined as string | undefined,
    /** Sends `{ type, data }` to the client; to all of them without a client id. */
    send(type: string, data: object, clientId?: string): void {
      for (const { client } of chosen(clientId)) client.send(JSON.stringify({ type, data }))
    },
    /** Sends a preview in the format that the client has asked for. */
    sendPreview(picture: Uint8Array, metadata: { readonly prompt_id: string }, clientId?: string): void {
      const about = Buffer.from(JSON.stringify({ ...metadata, image_type: 'image/jpeg' }))
      // A client without an id has no feature flags: main.py, hijack_progress.
      for (const { client, supportsMetadata } of chosen(clientId)) {
        const isNew = supportsMetadata && clientId !== undefined
        const parts = isNew ? [uint32(4), uint32(about.length), about] : [uint32(1), uint32(1)]
        client.send(Buffer.concat([...parts, picture]))
      }
    },
    /** The clients to whom the fake sends. */
    clients: () => [...clients.values()],
    /** Cuts all connections. */
    cut(): void {
      for (const client of server.clients) client.terminate()
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      fake.asked++
      socket.on('error', () => {})
      const { headers } = request
      const isForeign = headers.origin !== undefined && new URL(headers.origin).host !== headers.host
      const isLetIn = fake.authorization === undefined || headers.authorization === fake.authorization
      if (fake.fault === 'refused' || isForeign || !isLetIn)
        return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      if (fake.fault === 'broken') return void socket.destroy()
      server.handleUpgrade(request, socket, head, (client) => {
        const clientId = new URL(request.url ?? '', 'http://fake').searchParams.get('clientId') ?? ''
        opened.push({ clientId, headers })
        client.on('error', () => {})
        client.on('close', () => clients.delete(clientId))
        if (fake.fault === 'silent') return
        clients.set(clientId, { client, socket, supportsMetadata: false })
        for (const [type, data] of Object.entries(greetings(clientId))) fake.send(type, data, clientId)
        client.once('message', (sent) => {
          const { type, data } = JSON.parse(String(sent))
          if (type !== 'feature_flags') return
          const supportsMetadata = data.supports_preview_metadata === true
          clients.set(clientId, { client, socket, supportsMetadata })
          if (supportsMetadata) fake.greeted++
          const flags = { supports_preview_metadata: true, max_upload_size: 104_857_600 }
          client.send(JSON.stringify({ type, data: flags }))
        })
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
