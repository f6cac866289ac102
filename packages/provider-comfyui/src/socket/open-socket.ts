import type { Buffer } from 'node:buffer'
import type { Duplex } from 'node:stream'
import { toBase64 } from '@genmount/core'
import { clientFrame, opcodes } from './client-frame.ts'
import { frameReader } from './frame-reader.ts'
import { nodeModule } from './node-modules.ts'
import { rateGuard } from './rate-guard.ts'

/** The longest message, in bytes. */
const maxMessageBytes = 1024 * 1024

/** The options of `openSocket`. None of the functions may throw. */
export interface SocketOptions {
  /** Headers of the request that opens the WebSocket. */
  readonly headers: Readonly<Record<string, string>>
  /** A text message that is sent as soon as the WebSocket is open. */
  readonly greeting: string
  readonly onText: (text: string) => void
  readonly onBytes: (bytes: Buffer) => void
  /**
   * Called once when the WebSocket has ended by itself: the server refused it, the connection broke, or the server sent
   * nothing for `silenceMs`. `isFlood` says that the server sent too much.
   */
  readonly onEnd: (isFlood: boolean) => void
  /** How long the server may send nothing, in milliseconds. It also limits how long opening may take. @default 20000 */
  readonly silenceMs?: number
}

/**
 * Opens a WebSocket (RFC 6455) to an http or https URL.
 *
 * It does not use the runtime's `WebSocket`, which buffers messages of any length. The `close()` of that class also
 * waits for the server without a limit, so a silent server would keep the process alive (Node 24, Deno 2.9, Bun 1.4).
 * @returns a function that closes the connection at once
 */
export function openSocket(url: URL, options: SocketOptions): () => void {
  const { headers, greeting, onText, onBytes, onEnd, silenceMs = 20_000 } = options
  const { createHash } = nodeModule('node:crypto')
  const { request: send } = nodeModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const key = toBase64(crypto.getRandomValues(new Uint8Array(16)))
  /** RFC 6455, section 4.2.2: the server returns this value to show that it accepts the WebSocket. */
  const accepted = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  let socket: Duplex | undefined
  let hasEnded = false

  const request = send(url, {
    // No agent, because no other request can reuse a connection that has become a WebSocket.
    agent: false,
    headers: {
      ...headers,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
    },
  })

  function end(isFlood?: boolean): void {
    if (hasEnded) return
    hasEnded = true
    clearInterval(silence)
    request.destroy()
    socket?.destroy()
    if (isFlood !== undefined) onEnd(isFlood)
  }

  let heardAt = performance.now()
  const silence = setInterval(() => {
    if (performance.now() - heardAt >= silenceMs) end(false)
  }, silenceMs / 4)

  request.on('error', () => end(false))
  request.on('response', () => end(false))
  request.on('upgrade', ({ headers: answered }, opened: Duplex, head: Buffer) => {
    socket = opened
    opened.on('error', () => end(false))
    if (hasEnded || answered['sec-websocket-accept'] !== accepted) return end(false)
    const reply = (opcode: number, bytes: Uint8Array) => void opened.write(clientFrame(opcode, bytes))
    const isTooMuch = rateGuard()
    const read = frameReader(maxMessageBytes, ({ opcode, bytes }) => {
      if (hasEnded) return
      if (opcode === opcodes.text) onText(bytes.toString())
      else if (opcode === opcodes.binary) onBytes(bytes)
      else if (opcode === opcodes.ping) reply(opcodes.pong, bytes.subarray(0, 125))
      else if (opcode === opcodes.close) end(false)
      if (isTooMuch(1, 0)) end(true)
    })
    const take = (chunk: Buffer) => {
      heardAt = performance.now()
      if (isTooMuch(0, chunk.length)) return end(true)
      try {
        if (!hasEnded) read(chunk)
      } catch {
        end(true)
      }
    }
    opened.on('data', take)
    opened.on('close', () => end(false))
    reply(opcodes.text, new TextEncoder().encode(greeting))
    if (head.length > 0) take(head)
  })
  request.end()
  return () => end()
}
