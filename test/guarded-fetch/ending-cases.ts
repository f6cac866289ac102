import assert from 'node:assert/strict'
import { fetchHere, reasonOf, refusalOfAnswer, sendPicture } from './fetch-world.ts'
import { loopbackOrigin, redirect } from './loopback-origin.ts'

/** How a fetch ends when it does not go well. */
export const endingCases = {
  async 'fails after timeoutMs when an answer arrives too slowly'() {
    const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'
    const drips: [start: string, drop: string][] = [
      ['', ''],
      ['HTTP/1.1 200 OK\r\nx: ', 'x'],
      ['HTTP/1.1 200 OK\r\n\r\n', 'x'],
      [interim, interim],
    ]
    for (const [start, drop] of drips) {
      const refusal = await refusalOfAnswer(
        (socket) => {
          socket.write(start)
          const drip = setInterval(() => socket.write(drop), 20)
          socket.on('close', () => clearInterval(drip))
        },
        { timeoutMs: 200 },
      )
      assert.deepEqual([refusal.reason, refusal.retryable], ['timeout', true], start)
    }
  },

  async 'fails after timeoutMs when redirects, each of them quick enough, take too long together'() {
    const refusal = await refusalOfAnswer((socket) => void setTimeout(() => socket.end(redirect('/')), 200), {
      timeoutMs: 500,
    })
    assert.equal(refusal.reason, 'timeout')
  },

  async 'closes the connection of a body that nobody has read within timeoutMs'() {
    await using origin = await loopbackOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'))
    const { body } = await fetchHere(origin.url, { timeoutMs: 200 })
    await origin.idle()
    assert.equal(await reasonOf(body.getReader().read()), 'timeout')
  },

  async 'closes the connection when the reader cancels, before or while reading'() {
    await using origin = await loopbackOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'))
    const { url } = origin
    await (await fetchHere(url)).body.cancel()
    await origin.idle()
    const reader = (await fetchHere(url)).body.getReader()
    await reader.read()
    await reader.cancel('enough')
    await origin.idle()
    assert.equal(origin.connections.length, 2)
  },

  async "rejects with the reason of the caller's signal before the connection, before the answer and during the body"() {
    await using origin = await loopbackOrigin((socket, head) => {
      if (head.startsWith('GET /body')) socket.write('HTTP/1.1 200 OK\r\n\r\nabc')
      leaver.abort('left')
    })
    let leaver = new AbortController()
    leaver.abort('left')
    const left = (thrown: unknown) => thrown === 'left'
    const url = `http://a.test:${origin.port}`
    await assert.rejects(fetchHere(url, { signal: leaver.signal }), left)
    assert.deepEqual(origin.connections, [])
    leaver = new AbortController()
    await assert.rejects(fetchHere(url, { signal: leaver.signal }), left)
    await origin.idle()
    leaver = new AbortController()
    await assert.rejects(
      fetchHere(`${url}/body`, { signal: leaver.signal }).then((response) => response.bytes()),
      left,
    )
    await origin.idle()
  },

  async "leaves no listener on the caller's signal"() {
    await using origin = await loopbackOrigin(sendPicture)
    const { signal } = new AbortController()
    const listeners = new Set<unknown>()
    signal.addEventListener = (_type: string, listener: unknown) => void listeners.add(listener)
    signal.removeEventListener = (_type: string, listener: unknown) => void listeners.delete(listener)
    const response = await fetchHere(origin.url, { signal })
    assert.equal(listeners.size, 1)
    await response.bytes()
    assert.equal(listeners.size, 0)
    await reasonOf(fetchHere('http://private.test/', { signal }))
    assert.equal(listeners.size, 0)
  },

  async 'throws a TypeError that names the wrong option of a fetch'() {
    const wrong: [options: object, name: RegExp][] = [
      [{ maxbytes: 1 }, /^guardedFetch: maxbytes is not an option; the options are maxBytes, timeoutMs,/],
      [{ maxBytes: -1 }, /^maxBytes/],
      [{ maxBytes: Number.NaN }, /^maxBytes/],
      [{ timeoutMs: 0 }, /^timeoutMs/],
      [{ timeoutMs: 2 ** 31 }, /^timeoutMs/],
      [{ accept: ['image'] }, /^accept must/],
      [{ accept: 'image/*' }, /^accept must/],
      [{ allowAddress: ['127.0.0.1'] }, /^allowAddress/],
      [{ owner: 7 }, /^owner must be a string/],
      [{ headers: { Host: 'a.test' } }, /^headers.*"host"/],
      [{ headers: { 'Transfer-Encoding': 'chunked' } }, /^headers.*"transfer-encoding"/],
      [{ headers: { Range: 'bytes=0-1' } }, /^headers.*"range"/],
      [{ headers: { 'x-a': 'b\r\nx-c: d' } }, /./],
    ]
    for (const [options, message] of wrong) {
      await assert.rejects(fetchHere('http://a.test/', options), { name: 'TypeError', message })
    }
  },

  async "rejects with the error that the caller's allowAddress throws"() {
    const thrower = () => {
      throw new RangeError('oops')
    }
    await assert.rejects(fetchHere('http://127.0.0.1/', { allowAddress: thrower }), RangeError)
    await assert.rejects(fetchHere('http://a.test/', { allowAddress: thrower }), { name: 'RangeError' })
  },
}
