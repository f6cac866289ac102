import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished, expect, test, vi } from 'vitest'
import { openSocket } from './open-socket.ts'

/** A server that answers a connection with the text, and keeps it open. */
async function answering(text: string) {
  const connections: Socket[] = []
  const server = createServer((socket) => {
    connections.push(socket)
    socket.on('error', () => {})
    socket.write(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of connections) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return new URL(`http://127.0.0.1:${port}/ws`)
}

const options = { headers: {}, greeting: '{}', onText() {}, onBytes() {} }

test.each([
  ['never answers', ''],
  [
    'answers without having understood',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  ],
  ['answers as any other server', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'],
])('a WebSocket server that %s ends the connection once', async (_what, text) => {
  const onEnd = vi.fn()
  openSocket(await answering(text), { ...options, onEnd, silenceMs: 200 })
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalled(), { timeout: 20_000 })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(onEnd.mock.calls).toEqual([[false]])
})

test('a WebSocket that we close reports no end', async () => {
  const onEnd = vi.fn()
  const end = openSocket(await answering(''), { ...options, onEnd, silenceMs: 50 })
  end()
  end()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(onEnd).not.toHaveBeenCalled()
})
