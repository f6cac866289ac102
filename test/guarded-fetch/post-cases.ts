import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { guardedPost } from '@genmount/guarded-fetch'
import { createGuardedPost } from '../../packages/guarded-fetch/src/node/guarded-fetch.ts'
import { listen } from '../loopback.ts'
import { allowAddress, lookUpAmong, names, reasonOf, secret, untouched } from './fetch-world.ts'
import { hostileUrls, loopbackSpellings } from './hostile-addresses.ts'
import { httpAnswer, loopbackOrigin, redirect } from './loopback-origin.ts'

const post = createGuardedPost({ lookUp: lookUpAmong(names) })
const limits = { allowAddress, timeoutMs: 600_000 }

/** How something is posted, and to whom. */
export const postCases = {
  async 'posts a body with its length and headers, and gives status and headers of the answer'() {
    const received: unknown[] = []
    const { origin, stop } = await listen(async (request, response) => {
      const { method, url, headers } = request
      received.push([method, url, headers['content-length'], headers['x-a'], await text(request)])
      response.writeHead(503, { 'retry-after': '7' }).end('later')
    })
    const { port } = new URL(origin)
    const answer = await post(`http://a.test:${port}/hook?a=1`, {
      ...limits,
      body: 'ü',
      headers: { 'x-a': 'b' },
    })
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '7'])
    assert.deepEqual(received, [['POST', '/hook?a=1', '2', 'b', 'ü']])
    await stop()
  },

  async 'posts nothing to a private address in a URL or in an answer of DNS'() {
    await using origin = await loopbackOrigin(httpAnswer(200, {}))
    for (const host of loopbackSpellings) {
      await untouched(origin, guardedPost(`http://${host}:${origin.port}/`, { body: '{}' }), 'address', host)
    }
    const named = post(`http://private.test:${origin.port}/`, { ...limits, body: '{}' })
    await untouched(origin, named, 'address', 'private.test')
    for (const [url, reason] of hostileUrls)
      assert.equal(await reasonOf(guardedPost(url, { body: '{}' })), reason, url)
  },

  async 'returns a redirect as the answer to a post, and posts nothing to its target'() {
    await using target = await loopbackOrigin(httpAnswer(200, {}))
    const location = `http://a.test:${target.port}/`
    for (const status of [301, 302, 303, 307, 308]) {
      await using origin = await loopbackOrigin(redirect(location, status))
      assert.equal((await post(origin.url, { ...limits, body: '{}' })).status, status)
    }
    assert.deepEqual(target.connections, [])
  },

  async 'returns the answer to a post although its body never ends, is too long or breaks off'() {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n'
    for (const body of ['', 'x'.repeat(1_000_000)]) {
      await using origin = await loopbackOrigin((socket) => socket.write(head + body))
      assert.equal((await post(origin.url, { ...limits, body: '{}' })).status, 200)
      await origin.idle()
    }
    await using broken = await loopbackOrigin((socket) => socket.end(`${head}x`))
    assert.equal((await post(`http://a.test:${broken.port}/`, { ...limits, body: '{}' })).status, 200)
  },

  async 'fails as a timeout and closes the connection when the receiver of a post does not answer in time'() {
    await using origin = await loopbackOrigin(() => {})
    const url = `http://a.test:${origin.port}/${secret}`
    assert.equal(await reasonOf(post(url, { allowAddress, timeoutMs: 200, body: '{}' })), 'timeout')
    await origin.idle()
    const leaver = new AbortController()
    const left = post(url, { ...limits, body: '{}', signal: leaver.signal })
    leaver.abort('left')
    await assert.rejects(left, (thrown: unknown) => thrown === 'left')
    await origin.idle()
    assert.equal(await reasonOf(post('http://nowhere.test/', { ...limits, body: '{}' })), 'network')
  },

  async 'throws a TypeError that names the wrong option of a post'() {
    const wrong: [options: object, message: RegExp][] = [
      [{ body: 7 }, /^body must be a string or a Uint8Array/],
      [{ body: '', maxbytes: 1 }, /^guardedPost: maxbytes is not an option/],
      [{ body: '', headers: { 'Content-Length': '1' } }, /^headers.*"content-length"/],
    ]
    for (const [options, message] of wrong)
      await assert.rejects(post('http://a.test/', options as { body: string }), {
        name: 'TypeError',
        message,
      })
  },
}
