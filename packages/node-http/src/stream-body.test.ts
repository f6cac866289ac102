import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { streamBody } from './send-reply.ts'

test('while a large body is read, other requests get a turn of the event loop after each piece', async () => {
  const req = new IncomingMessage(new Socket())
  const pieces = 50
  let sent = 0
  req._read = () => void req.push(sent++ < pieces ? new Uint8Array(64 * 1024) : null)
  let turns = 0
  const countTurns = () => {
    turns++
    immediate = setImmediate(countTurns)
  }
  let immediate = setImmediate(countTurns)
  const body = streamBody(req, () => {})
  let [bytes, reads] = [0, 0]
  for (let piece = await body.read(); !piece.done; piece = await body.read()) {
    bytes += piece.value?.length ?? 0
    reads++
  }
  clearImmediate(immediate)
  expect(bytes).toBe(pieces * 64 * 1024)
  expect(reads).toBeGreaterThan(10)
  expect(turns).toBeGreaterThanOrEqual(reads - 1)
})
