import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startMeasured } from '../bench/measured-process.ts'
import { until } from '../until.ts'
import { modernRequestParts } from './modern-request.ts'
import type { HeldCallsServer } from './servers/held-calls-server.ts'
import { keys } from './servers/mcp-service.ts'

const params = {
  name: 'generate_video',
  arguments: { model: 'anything', prompt: 'a kite', delay_ms: 600_000 },
}
const accept = 'application/json, text/event-stream'
const legacyBody = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { ...params, _meta: { progressToken: 7 } },
})

/** The calls that wait, of clients of both revisions. */
const requests = {
  modern: modernRequestParts('tools/call', params),
  'legacy, with progress': { headers: { accept }, body: legacyBody },
}
type HeldRequest = keyof typeof requests

function written(how: HeldRequest): string {
  const { headers, body } = requests[how]
  const fields = Object.entries({
    host: 'localhost',
    authorization: `Bearer ${keys.alice}`,
    'content-type': 'application/json',
    'content-length': body.length,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST /mcp HTTP/1.1\r\n${fields.join('')}\r\n${body}`
}

/** How many calls are held, and let go, before anything is measured, so that their code is compiled. */
const warmingUp = 300
const count = 300

const flags = { node: ['--expose-gc'], deno: ['--v8-flags=--expose-gc'] }

/** Declares a test of what a waiting call of this kind holds. */
export function testHeldBytes(runtime: 'node' | 'deno', how: HeldRequest): void {
  test(`a waiting MCP call on ${runtime} (${how}) retains less than 20 kB of heap, its job included`, async () => {
    expect(await heldBytesPerCall(runtime, how)).toBeLessThan(20_000)
  })
}

/** @returns the bytes of heap that each of 300 waiting calls takes, beyond an idle connection */
async function heldBytesPerCall(runtime: 'node' | 'deno', how: HeldRequest): Promise<number> {
  const script = new URL('servers/held-calls-server.ts', import.meta.url)
  const server = startMeasured<HeldCallsServer>(script, { runtime, flags: flags[runtime], onAllCores: true })
  onTestFinished(() => server.stop())
  const port = await server.ask('port')
  const areWaiting = (calls: number) => until(async () => (await server.ask('waiters')) === calls)
  const hold = async (sockets: readonly Socket[]) => {
    for (const socket of sockets) socket.write(written(how))
    await areWaiting(sockets.length)
  }
  const first = await idleConnections(port, warmingUp)
  await hold(first)
  for (const socket of first) socket.destroy()
  await areWaiting(0)
  const sockets = await idleConnections(port, count)
  const before = await server.ask('heap')
  await hold(sockets)
  const after = await server.ask('heap')
  for (const socket of sockets) socket.destroy()
  return (after - before) / count
}

/** Connections on each of which one request was answered. */
function idleConnections(port: number, length: number): Promise<Socket[]> {
  const open = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write('GET /mcp HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await once(socket, 'data')
    return socket.resume()
  }
  return Promise.all(Array.from({ length }, open))
}
