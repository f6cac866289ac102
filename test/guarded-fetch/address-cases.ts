import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { guardedFetch, isPublicAddress } from '@genmount/guarded-fetch'
import { createGuardedFetch } from '../../packages/guarded-fetch/src/node/guarded-fetch.ts'
import {
  allowAddress,
  fetchAmong,
  fetchHere,
  picture,
  png,
  reasonOf,
  sendPicture,
  untouched,
} from './fetch-world.ts'
import { hostileAddresses, hostileUrls, loopbackSpellings } from './hostile-addresses.ts'
import { httpAnswer, loopbackOrigin, redirect } from './loopback-origin.ts'
import { testCertificate } from './test-certificate.ts'

/** Which addresses are reached. */
export const addressCases = {
  async 'reaches no loopback address in any spelling'() {
    await using origin = await loopbackOrigin(sendPicture)
    for (const host of loopbackSpellings) {
      await untouched(origin, guardedFetch(`http://${host}:${origin.port}/`), 'address', host)
    }
  },

  async 'reaches a loopback address in each of these spellings when the caller allows it'() {
    await using origin = await loopbackOrigin(sendPicture)
    // Without the mapped ones: a system without IPv6 cannot connect to them.
    for (const host of loopbackSpellings.filter((spelling) => !spelling.startsWith('['))) {
      await (await guardedFetch(`http://${host}:${origin.port}/`, { allowAddress: () => true })).bytes()
    }
    assert.equal(origin.connections.length, loopbackSpellings.length - 3)
  },

  async 'refuses every hostile address, literal or as the answer of DNS'() {
    await using origin = await loopbackOrigin(sendPicture)
    for (const address of hostileAddresses) {
      const host = address.includes(':') ? `[${address}]` : address
      for (const scheme of ['http', 'https']) {
        await untouched(origin, guardedFetch(`${scheme}://${host}:${origin.port}/`), 'address', host)
        const { fetch } = fetchAmong({ 'a.test': [[address]] })
        await untouched(
          origin,
          fetch(`${scheme}://a.test:${origin.port}/`, { allowAddress: isPublicAddress }),
          'address',
          `a name for ${address}`,
        )
      }
    }
  },

  async 'reaches an allowed IPv6 address, literal or by name'() {
    if (
      !Object.values(networkInterfaces()).some((entries) => entries?.some(({ address }) => address === '::1'))
    )
      return
    await using origin = await loopbackOrigin(sendPicture, { host: '::1' })
    const { fetch } = fetchAmong({ 'a.test': [['::1', '127.0.0.2']] })
    for (const host of ['[::1]', '[0:0::0:1]', 'a.test']) {
      const options = { allowAddress: (address: string) => address === '::1' }
      await (await fetch(`http://${host}:${origin.port}/`, options)).bytes()
    }
    assert.equal(origin.connections.length, 3)
  },

  async 'refuses a URL with another scheme, a password or a low port before it looks a name up'() {
    const { fetch, lookups } = fetchAmong({})
    for (const [url, reason] of hostileUrls) assert.equal(await reasonOf(fetch(url)), reason, url)
    assert.deepEqual(lookups, [])
  },

  async 'looks localhost up like any other name and refuses its loopback address'() {
    await using origin = await loopbackOrigin(sendPicture)
    for (const host of ['localhost', 'LOCALHOST']) {
      await untouched(origin, guardedFetch(`http://${host}:${origin.port}/`), 'address', host)
    }
    const response = await guardedFetch(`http://localhost:${origin.port}/`, { allowAddress })
    assert.deepEqual(await response.bytes(), picture)
  },

  async 'tries the allowed addresses of a name and no other'() {
    await using origin = await loopbackOrigin(sendPicture)
    const { fetch } = fetchAmong({
      'a.test': [['127.0.0.2', '::1', '127.0.0.1', '127.0.0.3', '::ffff:127.0.0.2']],
    })
    await (await fetch(origin.url)).bytes()
    assert.deepEqual(origin.connections, ['127.0.0.1'])
  },

  async 'connects to the address that it checked when a name changes its answer'() {
    await using origin = await loopbackOrigin(sendPicture)
    const { fetch, lookups } = fetchAmong({ 'a.test': [['127.0.0.1'], ['127.0.0.2']] })
    await (await fetch(origin.url)).bytes()
    assert.deepEqual(lookups, ['a.test'])
    assert.deepEqual(origin.connections, ['127.0.0.1'])
  },

  async 'checks a name again each time, and uses no older connection to it'() {
    await using origin = await loopbackOrigin((socket) => socket.write(httpAnswer(200, png, picture)))
    const { fetch } = fetchAmong({ 'a.test': [['127.0.0.1'], ['127.0.0.2']] })
    await (await fetch(origin.url)).bytes()
    assert.equal(await reasonOf(fetch(origin.url)), 'address')
    assert.equal(origin.connections.length, 1)
    assert.equal(origin.heads.length, 1)
  },

  async 'checks the name again after a redirect to the same host'() {
    await using origin = await loopbackOrigin((socket) => socket.write(redirect('/again')))
    const { fetch } = fetchAmong({ 'a.test': [['127.0.0.1'], ['127.0.0.2']] })
    assert.equal(await reasonOf(fetch(origin.url)), 'address')
    assert.equal(origin.heads.length, 1)
    await origin.idle()
  },

  async 'fetches over https from the address that it checked'() {
    await using origin = await loopbackOrigin(sendPicture, { tls: true })
    const { fetch, lookups } = fetchAmong({ 'a.test': [['127.0.0.2', '127.0.0.1']] }, testCertificate.cert)
    const response = await fetch(`https://a.test:${origin.port}/`)
    assert.deepEqual(await response.bytes(), picture)
    assert.deepEqual(lookups, ['a.test'])
    assert.deepEqual(origin.connections, ['127.0.0.1'])
  },

  async 'trusts no certificate that is unknown or made for another name'() {
    await using origin = await loopbackOrigin(sendPicture, { tls: true })
    assert.equal(await reasonOf(fetchHere(`https://a.test:${origin.port}/`)), 'network')
    const { fetch } = fetchAmong({ 'other.test': [['127.0.0.1']] }, testCertificate.cert)
    assert.equal(await reasonOf(fetch(`https://other.test:${origin.port}/`)), 'network')
    assert.deepEqual(origin.heads, [])
  },

  async 'makes no connection when the look-up answers after the time is up'() {
    await using origin = await loopbackOrigin(sendPicture)
    let answerLate = () => {}
    const fetch = createGuardedFetch({
      lookUp: () =>
        new Promise((resolve) => (answerLate = () => resolve([{ address: '127.0.0.1', family: 4 }]))),
    })
    const { url } = origin
    assert.equal(await reasonOf(fetch(url, { allowAddress, timeoutMs: 50 })), 'timeout')
    answerLate()
    await (await fetchHere(url)).bytes()
    assert.equal(origin.connections.length, 1)
  },
}
