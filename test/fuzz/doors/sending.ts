import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import type { RequestParts } from './valid-requests.ts'

/** How a client sends a request and reads its answer. */
export type Manner = typeof manners extends fc.Arbitrary<infer Value> ? Value : never

/** How the length of a body is told. `'true'` tells it as it is. */
const framings = [
  'true',
  'true',
  'true',
  'none',
  'short',
  'long',
  'twice',
  'chunked',
  'both',
  '-1',
  '0x10',
  '1e3',
  '99999999999999999999',
] as const

/** Any manner. Most requests are sent and read whole. */
export const manners = fc.record({
  framing: fc.constantFrom(...framings),
  /** The sizes of the chunks, in turn. */
  chunkBytes: fc.array(fc.constantFrom(1, 2, 7, 100, 4096), { minLength: 1, maxLength: 3 }),
  chunkEnd: fc.constantFrom('', '', '', ';a="b"', ';\u0001', '\n', ' '),
  version: fc.constantFrom(...Array<string>(20).fill('1.1'), '1.0', '2.0', '1.'),
  sent: fc.constantFrom('whole', 'whole', 'whole', 'slowly', 'half'),
  read: fc.constantFrom('whole', 'whole', 'whole', 'first', 'nothing'),
  /** Whether the same request follows on the same connection before the first is answered. */
  isTwice: fc.constantFrom(false, false, false, true),
})

/** A whole answer comes within this time, in milliseconds, or the client leaves. */
const patienceMs = 2500
const pauseMs = 20

/** Sends a request over a connection of its own. @returns as much of the answer as the client reads */
export async function sentBy(port: number, request: RequestParts, manner: Manner): Promise<string> {
  const bytes = bytesOf(request, manner)
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.setTimeout(patienceMs, () => socket.destroy())
  // A connection on which bytes trickle is not idle.
  const giveUp = setTimeout(() => socket.destroy(), 2 * patienceMs)
  let answer = ''
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1')
    if (manner.read === 'first') socket.destroy()
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await Promise.race([once(socket, 'connect').catch(() => {}), closed])
  const middle = Math.floor(bytes.length / 2)
  const twin = manner.isTwice ? bytesOf(request, { ...manner, isTwice: false }) : Buffer.alloc(0)
  if (manner.sent === 'whole') socket.write(Buffer.concat([bytes, twin]))
  else socket.write(bytes.subarray(0, middle))
  if (manner.sent === 'slowly') {
    await delay(pauseMs)
    if (!socket.destroyed) socket.write(bytes.subarray(middle))
  }
  if (manner.sent === 'half') socket.end()
  if (manner.read === 'nothing') await delay(pauseMs).then(() => socket.destroy())
  await closed
  clearTimeout(giveUp)
  return answer
}

/** The bytes of a request. */
export function bytesOf({ method, target, headers, body }: RequestParts, manner: Manner): Buffer {
  const { framing, version } = manner
  const length = body?.length ?? 0
  const lengths: Partial<Record<Manner['framing'], readonly string[]>> = {
    true: body ? [String(length)] : [],
    none: [],
    short: [String(Math.max(0, length - 3))],
    long: [String(length + 3)],
    twice: [String(length), String(length + 1)],
    chunked: [],
    both: [String(length)],
  }
  const isChunked = framing === 'chunked' || framing === 'both'
  const hasHost = headers.some(([name]) => name === 'host')
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...(hasHost ? [] : ['host: localhost']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(lengths[framing] ?? [framing]).map((each) => `content-length: ${each}`),
    ...(isChunked ? ['transfer-encoding: chunked'] : []),
    `connection: ${manner.isTwice ? 'keep-alive' : 'close'}`,
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return Buffer.concat([
    head,
    isChunked ? chunked(body ?? new Uint8Array(), manner) : (body ?? new Uint8Array()),
  ])
}

function chunked(body: Uint8Array, { chunkBytes, chunkEnd }: Manner): Buffer {
  const parts: Uint8Array[] = []
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const size = chunkBytes[turn % chunkBytes.length]!
    const chunk = body.subarray(at, at + size)
    parts.push(
      Buffer.from(`${chunk.length.toString(16)}${chunkEnd}\r\n`, 'latin1'),
      chunk,
      Buffer.from('\r\n'),
    )
    at += size
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}
