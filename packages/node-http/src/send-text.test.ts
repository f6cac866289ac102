import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { TextSource } from '@genmount/v1-interface'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sendText } from './send-reply.ts'

/** A server that sends this text, and a client that has requested it. */
async function serving(source: TextSource, prepare: (res: object) => void = () => {}) {
  const server = createServer((_req, res) => {
    prepare(res)
    res.on('close', () => source.cancel())
    res.writeHead(200)
    sendText(source, res)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  return socket
}

/** Text without an end, and the number of pieces that were requested. */
function endless() {
  const state = { pieces: 0, isCanceled: false }
  const source: TextSource = {
    next: async () => (state.isCanceled ? undefined : `${state.pieces++} `.repeat(2000)),
    cancel: () => void (state.isCanceled = true),
  }
  return { state, source }
}

test('an event stream produces text no faster than its client reads, and stops when the client has gone', async () => {
  const { state, source } = endless()
  const socket = await serving(source)
  await once(socket, 'data')
  socket.pause()
  let before = -1
  await vi.waitFor(
    () => {
      const isStill = before === state.pieces
      before = state.pieces
      expect(isStill).toBe(true)
    },
    { timeout: 20_000, interval: 300 },
  )
  expect(state.pieces).toBeLessThan(5000)
  socket.destroy()
  await vi.waitFor(() => expect(state.isCanceled).toBe(true), 60_000)
})

test('a compressing middleware that holds text back is told to flush each event', async () => {
  const pieces = ['one\n\n', 'two\n\n']
  const next = async () => pieces.shift()
  let flushes = 0
  const socket = await serving({ next, cancel() {} }, (res) =>
    Object.assign(res, { flush: () => void flushes++ }),
  )
  let text = ''
  socket.on('data', (data) => (text += data))
  await vi.waitFor(() => expect(text).toContain('two'), 60_000)
  expect(flushes).toBe(2)
})
