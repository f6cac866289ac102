import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { nodeHeader, nodeHeaders, nodeScheme } from './node-request.ts'
import { streamBody } from './send-reply.ts'

/** A request as adapters for AWS Lambda make it: without a connection, and with headers that did not come over one. */
function simulated(headers: Record<string, unknown>, socket: unknown = null): IncomingMessage {
  const request = new IncomingMessage(socket as Socket)
  return Object.assign(request, { headers, rawHeaders: undefined, complete: true })
}

test('a header that an adapter has set as a number is read as text', () => {
  const request = simulated({ 'content-length': 12, authorization: 'Bearer key', 'set-cookie': ['a', 'b'] })
  expect(nodeHeader(request, 'content-length')).toBe('12')
  expect(nodeHeaders(request)).toEqual({
    'content-length': '12',
    authorization: 'Bearer key',
    'set-cookie': 'a, b',
  })
})

test('a request without a connection has no address of its own and came over plain HTTP; one whose socket says so, over TLS', () => {
  expect(nodeHeader(simulated({}), 'host')).toBeUndefined()
  expect(nodeScheme(simulated({}))).toBe('http')
  expect(nodeScheme(simulated({}, { encrypted: true }))).toBe('https')
})

test('a header that may come once, and came twice, is read with both values', () => {
  const request = new IncomingMessage(new Socket())
  request.headers = { authorization: 'Bearer one' }
  request.rawHeaders = ['Authorization', 'Bearer one', 'authorization', 'Bearer two']
  expect(nodeHeader(request, 'authorization')).toBe('Bearer one, Bearer two')
})

test('the body of a request without a connection is read to its end', async () => {
  const request = simulated({ 'content-length': 3 })
  request.httpVersionMajor = 1
  request.push('abc')
  request.push(null)
  const body = streamBody(request, () => {})
  const pieces: (Uint8Array | undefined)[] = []
  for (let piece = await body.read(); !piece.done; piece = await body.read()) pieces.push(piece.value)
  expect(Buffer.concat(pieces.filter((piece) => piece !== undefined)).toString()).toBe('abc')
  expect(body.pieces?.()).toBe(0)
})
