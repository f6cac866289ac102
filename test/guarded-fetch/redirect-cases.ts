import assert from 'node:assert/strict'
import { isPublicAddress } from '@genmount/guarded-fetch'
import {
  fetchAmong,
  fetchHere,
  names,
  picture,
  reasonOf,
  refusalOfAnswer,
  secret,
  sendPicture,
  untouched,
} from './fetch-world.ts'
import { hostileAddresses } from './hostile-addresses.ts'
import { httpAnswer, loopbackOrigin, redirect, type LoopbackOrigin } from './loopback-origin.ts'
import { testCertificate } from './test-certificate.ts'

/** Where a redirect may lead. */
export const redirectCases = {
  async 'follows every kind of redirect'() {
    for (const status of [301, 302, 303, 307, 308]) {
      await using origin = await loopbackOrigin((socket, head) =>
        head.startsWith('GET / ') ? socket.end(redirect('next', status)) : sendPicture(socket),
      )
      const response = await fetchHere(origin.url)
      assert.deepEqual(await response.bytes(), picture)
      assert.equal(response.url, `http://a.test:${origin.port}/next`)
    }
  },

  async 'follows a redirect to a path that is not ASCII'() {
    await using origin = await loopbackOrigin((socket, head) =>
      head.startsWith('GET / ') ? socket.end(redirect('/日本.png')) : sendPicture(socket),
    )
    const response = await fetchHere(origin.url)
    assert.equal(response.url, `http://a.test:${origin.port}/%E6%97%A5%E6%9C%AC.png`)
    await response.bytes()
  },

  async 'follows three redirects and not a fourth'() {
    await using origin = await loopbackOrigin((socket, head) => {
      const left = Number(/^GET \/(\d)/.exec(head)?.[1])
      if (left === 0) sendPicture(socket)
      else socket.write(redirect(`/${left - 1}`))
    })
    await (await fetchHere(`http://a.test:${origin.port}/3`)).bytes()
    assert.equal(await reasonOf(fetchHere(`http://a.test:${origin.port}/4`)), 'too_many_redirects')
    assert.equal(origin.heads.length, 8)
    await origin.idle()
  },

  async 'follows no redirect to a URL that it would refuse itself'() {
    await using inside = await loopbackOrigin(sendPicture)
    const targets: [location: string, reason: string][] = [
      [`http://127.0.0.2:${inside.port}/${secret}`, 'address'],
      [`http://2130706434:${inside.port}/?key=${secret}`, 'address'],
      [`//0.0.0.0:${inside.port}/`, 'address'],
      [`http://[::ffff:7f00:2]:${inside.port}/`, 'address'],
      [`http://private.test:${inside.port}/`, 'address'],
      ['http://169.254.169.254/latest/meta-data/', 'address'],
      [`http://${secret}:x@a.test:${inside.port}/`, 'bad_url'],
      ['http://[', 'bad_url'],
      ['http://a.test:22/', 'port'],
      ['file:///etc/passwd', 'scheme'],
      ['data:image/png;base64,AAAA', 'scheme'],
    ]
    for (const [location, reason] of targets) {
      const refusal = await refusalOfAnswer(httpAnswer(302, { location }, 'x'.repeat(100)))
      assert.equal(refusal.reason, reason, location)
    }
    assert.deepEqual(inside.connections, [])
  },

  async 'follows no redirect to any hostile address, literal or as the answer of DNS'() {
    await using inside = await loopbackOrigin(sendPicture)
    await using origin = await loopbackOrigin((socket, head) => {
      const location = new URL(/^GET (\S+)/.exec(head)?.[1] ?? '', 'http://a.test').searchParams.get('to')
      socket.end(redirect(location ?? ''))
    })
    const allowAddress = (address: string) => address === '127.0.0.1' || isPublicAddress(address)
    // Other spellings of 127.0.0.1, which counts as public here.
    const isPublicHere = /127\.0\.0\.1$|^64:ff9b::7f00:1$/
    for (const address of hostileAddresses.filter((hostile) => !isPublicHere.test(hostile))) {
      const host = address.includes(':') ? `[${address}]` : address
      const { fetch } = fetchAmong({ 'a.test': [['127.0.0.1']], 'inside.test': [[address]] })
      for (const target of [host, 'inside.test']) {
        const to = encodeURIComponent(`http://${target}:${inside.port}/`)
        const refused = fetch(`http://a.test:${origin.port}/?to=${to}`, { allowAddress })
        await untouched(inside, refused, 'address', `a redirect to ${target}, ${address}`)
      }
    }
  },

  async 'follows a redirect from http to https, but not back'() {
    await using plain = await loopbackOrigin((socket) =>
      socket.end(redirect(`https://b.test:${secure.port}/`)),
    )
    await using secure: LoopbackOrigin = await loopbackOrigin(
      (socket, head) =>
        head.startsWith('GET / ')
          ? sendPicture(socket)
          : socket.write(redirect(`http://a.test:${plain.port}/`)),
      { tls: true },
    )
    const { fetch } = fetchAmong(names, testCertificate.cert)
    await (await fetch(`http://a.test:${plain.port}/`)).bytes()
    assert.equal(await reasonOf(fetch(`https://b.test:${secure.port}/down`)), 'scheme')
    assert.equal(plain.heads.length, 1)
    await secure.idle()
  },

  async "sends the caller's headers only to the origin of the URL and not to the target of a redirect elsewhere"() {
    await using origin = await loopbackOrigin((socket, head) => {
      const step = /^GET \/(\w+)/.exec(head)?.[1]
      if (step === 'start') socket.end(redirect('/same'))
      else if (step === 'same') socket.end(redirect(`http://b.test:${origin.port}/other`))
      else if (step === 'other') socket.end(redirect(`http://a.test:${origin.port}/back`))
      else sendPicture(socket)
    })
    const headers = { Authorization: `Bearer ${secret}`, 'x-goog-api-key': secret, Accept: 'image/png' }
    await (await fetchHere(`http://a.test:${origin.port}/start`, { headers })).bytes()
    assert.deepEqual(
      origin.heads.map((head) => head.includes(secret)),
      [true, true, false, false],
    )
    for (const head of origin.heads) assert.match(head, /accept-encoding: identity\r\n/i)
  },
}
