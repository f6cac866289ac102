import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import {
  allowAddress,
  fetchHere,
  picture,
  reasonOf,
  refusalOf,
  refusalOfAnswer,
  sendPicture,
} from './fetch-world.ts'
import { httpAnswer, loopbackOrigin, redirect } from './loopback-origin.ts'

/** Which answers are taken. */
export const answerCases = {
  async 'returns the bytes, the media type, the size and the final URL of a file'() {
    await using origin = await loopbackOrigin((socket, head) =>
      head.startsWith('GET /old')
        ? socket.end(redirect('/new?x=1'))
        : socket.end(httpAnswer(200, { 'content-type': 'IMAGE/PNG; q=1' }, picture)),
    )
    const response = await fetchHere(`http://a.test:${origin.port}/old`)
    assert.equal(response.url, `http://a.test:${origin.port}/new?x=1`)
    assert.equal(response.contentType, 'image/png')
    assert.equal(response.contentLength, 4)
    assert.deepEqual(await response.bytes(), picture)
    await origin.idle()
  },

  async 'streams a chunked body to its reader'() {
    await using origin = await loopbackOrigin(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    )
    const { body, contentType, contentLength } = await fetchHere(origin.url, {
      allowAddress,
    })
    let text = ''
    for await (const chunk of body) text += new TextDecoder().decode(chunk)
    assert.equal(text, 'abcde')
    assert.deepEqual([contentType, contentLength], [undefined, undefined])
    await origin.idle()
  },

  async 'refuses an answer whose status is not 200, and says whether a retry may help'() {
    const passing = [408, 429, 500, 503]
    for (const status of [201, 206, 304, 302, 401, 404, ...passing]) {
      const refusal = await refusalOfAnswer(httpAnswer(status, {}))
      const seen = [refusal.reason, refusal.status, refusal.retryable]
      assert.deepEqual(seen, ['status', status, passing.includes(status)])
    }
  },

  async 'accepts an answer only if its media type is one that the caller accepts'() {
    const page = httpAnswer(200, { 'content-type': 'text/html; charset=utf-8' }, '<p>')
    const refused: [answer: Uint8Array, accept: string[] | (() => boolean)][] = [
      [page, ['image/*', 'video/mp4']],
      [page, () => false],
      [httpAnswer(200, {}, 'x'), ['image/*']],
      [httpAnswer(200, { 'content-type': 'imagex/png' }), ['image/*']],
    ]
    const refusals = await Promise.all(refused.map(([answer, accept]) => refusalOfAnswer(answer, { accept })))
    for (const { reason } of refusals) assert.equal(reason, 'content_type')
    assert.match(refusals[0]?.message ?? '', /text\/html; .*image\/\*, video\/mp4/)
    await using origin = await loopbackOrigin(sendPicture)
    for (const accept of [['image/*'], ['Image/PNG'], ['*/*'], (type?: string) => type === 'image/png']) {
      await (await fetchHere(origin.url, { accept })).bytes()
    }
    assert.match(origin.heads[0] ?? '', /\r\naccept: image\/\*\r\n/i)
  },

  async 'inflates a gzip body, which some object stores send unasked'() {
    const packed = gzipSync('picture '.repeat(50_000))
    for (const encoding of ['gzip', 'GZIP', 'x-gzip']) {
      await using origin = await loopbackOrigin(httpAnswer(200, { 'content-encoding': encoding }, packed))
      const response = await fetchHere(origin.url)
      assert.equal(response.contentLength, undefined)
      const text = new TextDecoder().decode(await response.bytes())
      assert.equal(text, 'picture '.repeat(50_000))
    }
  },

  async 'stops inflating a gzip body that gets longer than maxBytes'() {
    const bomb = httpAnswer(200, { 'content-encoding': 'gzip' }, gzipSync(new Uint8Array(50_000_000)))
    await using origin = await loopbackOrigin(bomb)
    const response = await fetchHere(origin.url, { maxBytes: 100_000 })
    assert.equal(await reasonOf(response.bytes()), 'too_large')
    const other = await fetchHere(origin.url, { maxBytes: 100_000 })
    let read = 0
    const reading = (async () => {
      for await (const chunk of other.body) read += chunk.byteLength
    })()
    assert.equal(await reasonOf(reading), 'too_large')
    assert.ok(read <= 100_000)
  },

  async 'fails when a gzip body ends early or is none'() {
    const packed = gzipSync('picture '.repeat(50_000))
    for (const bytes of [packed.subarray(0, packed.length - 20), Buffer.from('no gzip'), Buffer.alloc(0)]) {
      await using origin = await loopbackOrigin(httpAnswer(200, { 'content-encoding': 'gzip' }, bytes))
      assert.equal(await reasonOf((await fetchHere(origin.url)).bytes()), 'network')
    }
  },

  async 'refuses a body that is compressed in another way'() {
    for (const encoding of ['br', 'identity, gzip', 'gzip, gzip', 'zstd', 'deflate']) {
      const packed = httpAnswer(200, { 'content-encoding': encoding }, gzipSync(new Uint8Array(100_000)))
      assert.equal((await refusalOfAnswer(packed)).reason, 'content_encoding')
    }
  },

  async 'refuses a body whose content-length is above maxBytes without reading it'() {
    const refusal = await refusalOfAnswer('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n', { maxBytes: 4 })
    assert.equal(refusal.reason, 'too_large')
    assert.match(refusal.message, /at most 4 bytes/)
  },

  async 'stops reading an endless body when it is longer than maxBytes'() {
    const refusal = await refusalOfAnswer(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
        const more = () => {
          while (!socket.destroyed && socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`)) continue
        }
        socket.on('drain', more)
        more()
      },
      { maxBytes: 1_000_000 },
    )
    assert.equal(refusal.reason, 'too_large')
  },

  async 'accepts a body of exactly maxBytes'() {
    await using origin = await loopbackOrigin('HTTP/1.1 200 OK\r\n\r\nabcd')
    const { url } = origin
    assert.equal((await (await fetchHere(url, { maxBytes: 4 })).bytes()).length, 4)
    const response = await fetchHere(url, { maxBytes: 3 })
    assert.equal(await reasonOf(response.bytes()), 'too_large')
  },

  async 'fails when the connection closes in the middle of a body'() {
    for (const framing of [
      'content-length: 100\r\n\r\nabc',
      'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
    ]) {
      const refusal = await refusalOfAnswer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${framing}`))
      assert.deepEqual([refusal.reason, refusal.retryable], ['network', true])
    }
  },

  async 'refuses an answer that is not HTTP'() {
    for (const answer of [
      'SSH-2.0-OpenSSH_9.9\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
      `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200_000)}\r\n\r\n`,
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    ]) {
      const refusal = await refusalOfAnswer(answer, { timeoutMs: 5_000 })
      assert.ok(['network', 'status'].includes(refusal.reason), `${answer.slice(0, 40)}: ${refusal.reason}`)
    }
    const closed = await refusalOfAnswer((socket) => socket.destroy())
    assert.deepEqual([closed.reason, closed.retryable], ['network', true])
  },

  async 'reports an unknown host or a closed port as retryable'() {
    const port = await (async () => {
      await using origin = await loopbackOrigin(sendPicture)
      return origin.port
    })()
    for (const url of [`http://a.test:${port}/`, 'http://unknown.test/']) {
      const refusal = await refusalOf(fetchHere(url))
      assert.deepEqual([refusal.reason, refusal.retryable], ['network', true])
    }
  },
}
