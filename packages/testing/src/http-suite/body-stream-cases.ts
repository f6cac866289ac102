import assert from 'node:assert/strict'
import { expectError, isRuntimeRefusal } from './expect-error.ts'
import { expectJob } from './expect-job.ts'
import { chunk, type SuiteRequest } from './request.ts'
import type { Cases } from './suite-client.ts'
import { endless, quick, suiteLimits } from './suite-jobs.ts'

const json = JSON.stringify(quick)
const post = { path: '/v1/generate', method: 'POST', contentType: 'application/json' } as const
const chunked: SuiteRequest = { ...post, headers: [['Transfer-Encoding', 'chunked']] }

/** Bodies that arrive in pieces, late, incomplete, or longer than announced. */
export const bodyStreamCases: Cases = {
  'a chunked body is read, in pieces of any size, with extensions and trailers': async (client) => {
    const encodings = [
      [...json].map((character) => chunk(character).toString()).join('') + '0\r\n\r\n',
      `${json.length.toString(16)};name=value\r\n${json}\r\n0\r\n\r\n`,
      `${chunk(json).toString()}0\r\nX-Trailer: 1\r\n\r\n`,
    ]
    for (const encoded of encodings) {
      const connection = client.open()
      connection.write(Buffer.concat([client.bytes(chunked).head, Buffer.from(encoded)]))
      const reply = await connection.next()
      assert(reply)
      expectJob(reply, 202, client)
      connection.destroy()
    }
  },

  'a body that arrives in two parts is read whole': async (client) => {
    const connection = client.open()
    const { head, body } = client.bytes({ ...post, body: quick })
    connection.write(Buffer.concat([head, body.subarray(0, 9)]))
    await new Promise((resolve) => setTimeout(resolve, 150))
    connection.write(body.subarray(9))
    const reply = await connection.next()
    assert(reply)
    expectJob(reply, 202, client)
    connection.destroy()
  },

  'a chunked body that grows too large is 413 without being read to its end': async (client) => {
    const connection = client.open()
    connection.write(client.bytes(chunked).head)
    const piece = chunk('x'.repeat(64 * 1024))
    connection.write(chunk('{"model":"suite-anything","prompt":"'))
    for (let sent = 0; sent < suiteLimits.maxBodyBytes * 1.5; sent += piece.length) connection.write(piece)
    if (client.subject.parsesBodies) connection.write('0\r\n\r\n')
    const reply = await connection.next()
    if (client.subject.parsesBodies) assert.equal(reply?.status, 413)
    else expectError(reply, 'request_too_large')
    connection.destroy()
  },

  'a body that does not arrive in time is 408': async (client) => {
    const connection = client.open()
    const { head, body } = client.bytes({ ...post, body: quick })
    connection.write(Buffer.concat([head, body.subarray(0, 9)]))
    const startedAt = performance.now()
    // An app that reads bodies itself decides how long it waits for them.
    if (client.subject.parsesBodies) {
      assert.equal(await connection.closed(suiteLimits.bodyTimeoutMs + 500), false)
      connection.write(body.subarray(9))
      const reply = await connection.next()
      assert(reply)
      expectJob(reply, 202, client)
    } else {
      expectError(await connection.next(), 'request_timeout')
      const tookMs = performance.now() - startedAt
      assert(tookMs > suiteLimits.bodyTimeoutMs * 0.8, `gave up after ${tookMs} ms`)
      assert(tookMs < suiteLimits.bodyTimeoutMs + 4000, `held for ${tookMs} ms`)
    }
    connection.destroy()
  },

  'a body that drips in byte by byte is 408 as well': async (client) => {
    if (client.subject.parsesBodies) return
    const connection = client.open()
    const { head, body } = client.bytes({ ...post, body: { ...quick, prompt: 'x'.repeat(500) } })
    connection.write(head)
    let at = 0
    const drip = setInterval(() => connection.write(body.subarray(at, ++at)), 200)
    try {
      expectError(await connection.next(), 'request_timeout')
    } finally {
      clearInterval(drip)
      connection.destroy()
    }
  },

  'a body that is cut off makes no job and harms nobody': async (client) => {
    const key = ['Idempotency-Key', 'cut-off'] as const
    const short = client.bytes({ ...post, body: quick, headers: [key] })
    const pieces = client.bytes({ ...post, headers: [key, ['Transfer-Encoding', 'chunked']] })
    const cutOff = [
      [short.head, short.body.subarray(0, -1)],
      [short.head],
      [pieces.head, chunk(json)],
      [pieces.head, chunk(json).subarray(0, -5)],
    ]
    for (const parts of cutOff) {
      const connection = client.open()
      connection.write(Buffer.concat(parts))
      connection.end()
      const reply = await connection.next()
      assert(!reply || (reply.status >= 400 && reply.status < 500), reply?.head)
      connection.destroy()
    }
    const reply = await client.send({
      path: '/v1/generate',
      body: { ...quick, prompt: 'whole' },
      headers: [key],
    })
    expectJob(reply, 202, client)
    assert.equal(reply.headers.has('idempotency-replayed'), false)
  },

  // RFC 9110, 10.1.1
  'a client that expects 100-continue gets it, or its answer at once': async (client) => {
    const connection = client.open()
    const { head, body } = client.bytes({ ...post, body: quick, headers: [['Expect', '100-continue']] })
    connection.write(head)
    await connection.continued(suiteLimits.bodyTimeoutMs * 0.6)
    connection.write(body)
    const reply = await connection.next()
    assert(reply)
    expectJob(reply, 202, client)
    connection.destroy()
  },

  'a request whose length is ambiguous is refused, or read in the one safe way': async (client) => {
    const ambiguous = [
      [
        ['Content-Length', '5'],
        ['Content-Length', '6'],
      ],
      [['Content-Length', '5, 6']],
      [['Content-Length', '-1']],
      [['Content-Length', '1e3']],
      [['Content-Length', '+5']],
      [['Transfer-Encoding', 'chunked, identity']],
      [
        ['Content-Length', '4'],
        ['Transfer-Encoding', 'chunked'],
      ],
    ] as const
    for (const headers of ambiguous) {
      const connection = client.open()
      connection.write(
        Buffer.concat([client.bytes({ ...post, headers }).head, chunk(json), Buffer.from('0\r\n\r\n')]),
      )
      connection.end()
      const reply = await connection.next()
      const isSafe = isRuntimeRefusal(reply) || (reply !== undefined && reply.status < 500)
      assert(isSafe, `${JSON.stringify(headers)}: ${reply?.head}`)
      connection.destroy()
    }
  },

  'a body that nobody read is never taken for the next request': async (client) => {
    const { id } = await client.create(endless)
    const smuggled = client.bytes({ path: '/v1/jobs/smuggled', closes: false }).head
    const tooLarge = Buffer.concat([smuggled, Buffer.alloc(suiteLimits.maxBodyBytes, '\r\n')])
    for (const refused of [
      { as: 'nobody' },
      { contentType: 'text/plain' },
      { path: '/v1/nothing' },
      { method: 'PUT' },
      { body: tooLarge },
    ] as const) {
      const connection = client.open()
      const first = client.bytes({ ...post, body: smuggled, ...refused, closes: false })
      connection.write(Buffer.concat([first.head, first.body, client.bytes({ path: `/v1/jobs/${id}` }).head]))
      const reply = await connection.next()
      assert(reply && reply.status >= 400 && reply.status < 500, reply?.head)
      const second = await connection.next()
      if (second) assert.equal(expectJob(second, 200, client).id, id)
      connection.destroy()
    }
  },
}
