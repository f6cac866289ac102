import assert from 'node:assert/strict'
import { fakeFile } from '../fake-provider/fake-file.ts'
import { expectError } from './expect-error.ts'
import type { Reply } from './reply.ts'
import type { Cases, SuiteClient } from './suite-client.ts'
import { anything, quick, quickVideo, shortLifeMs, shortLived } from './suite-jobs.ts'

const image = Buffer.from(fakeFile('image').bytes)

async function outputUrl(client: SuiteClient, body: object = quick): Promise<string> {
  const { id } = await client.createAndWait(body)
  const reply = await client.send({ path: `/v1/files/${id}` })
  return new URL(reply.headers.get('location') ?? '', client.url('/v1/files/')).href
}

async function ranged(client: SuiteClient, url: string, range: string): Promise<Reply> {
  return client.follow(url, { as: 'nobody', headers: [['Range', range]] })
}

export const outputCases: Cases = {
  'an output is read without a key: bytes, type, length, and nothing for a browser to guess': async (
    client,
  ) => {
    const reply = await client.follow(await outputUrl(client), { as: 'nobody' })
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.body, image)
    assert.equal(reply.headers.get('content-type'), 'image/png')
    assert.equal(reply.headers.get('content-length'), String(image.length))
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    assert.match(reply.headers.get('content-disposition') ?? '', /^inline; ?filename="?[\w.-]+\.png"?$/)
  },

  "a key that comes along to an output does no harm, be it another owner's or a wrong one": async (
    client,
  ) => {
    const url = await outputUrl(client)
    assert.equal((await client.follow(url, { as: 'bob' })).status, 200)
    const wrong = await client.follow(url, { as: 'nobody', headers: [['Authorization', 'Bearer wrong']] })
    assert.equal(wrong.status, 200)
  },

  'a browser may keep an output for as long as its link is valid, an hour at most, and show it in any page':
    async (client) => {
      const url = await outputUrl(client)
      for (const headers of [[], [['Range', 'bytes=0-3']] as const]) {
        const reply = await client.follow(url, { as: 'nobody', headers })
        const control = reply.headers.get('cache-control') ?? ''
        const seconds = Number(/^private, max-age=(\d+), immutable$/.exec(control)?.[1])
        assert(seconds > 0 && seconds <= 3600, control)
        assert.equal(reply.headers.get('cross-origin-resource-policy'), 'cross-origin')
      }
    },

  'HEAD of an output tells its type and length and sends no body': async (client) => {
    const url = await outputUrl(client)
    const reply = await client.follow(url, { method: 'HEAD', as: 'nobody' })
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('content-type'), 'image/png')
    assert.equal(reply.headers.get('content-length'), String(image.length))
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
  },

  'a range of an output is 206 with exactly these bytes': async (client) => {
    const url = await outputUrl(client)
    const size = image.length
    const ranges = [
      ['bytes=0-3', 0, 3],
      ['bytes=4-', 4, size - 1],
      ['bytes=-5', size - 5, size - 1],
      ['bytes=0-0', 0, 0],
      ['bytes=10-99999999', 10, size - 1],
      ['bytes=-99999999', 0, size - 1],
    ] as const
    for (const [range, first, last] of ranges) {
      const reply = await ranged(client, url, range)
      assert.equal(reply.status, 206, range)
      assert.equal(reply.headers.get('content-range'), `bytes ${first}-${last}/${size}`)
      assert.equal(reply.headers.get('content-length'), String(last - first + 1))
      assert.deepEqual(reply.body, image.subarray(first, last + 1))
      assert.equal(reply.headers.get('content-type'), 'image/png')
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    }
  },

  'a range outside the output is 416 and tells the size': async (client) => {
    const url = await outputUrl(client)
    for (const range of [`bytes=${image.length}-`, 'bytes=99999999999999999999-', 'bytes=-0']) {
      const reply = await ranged(client, url, range)
      expectError(reply, 'range_not_satisfiable')
      assert.equal(reply.headers.get('content-range'), `bytes */${image.length}`)
    }
  },

  // RFC 9110, 14.2: an unknown unit is ignored, an invalid or costly set of ranges may be ignored or refused.
  'a range that makes no sense gives the whole output or 416, never a wrong part': async (client) => {
    const url = await outputUrl(client)
    assert.equal((await ranged(client, url, 'lines=0-1')).status, 200)
    const odd = [
      'bytes=5-2',
      'bytes=abc',
      'bytes=',
      'bytes=-',
      'bytes=1.5-3',
      'bytes=0x1-3',
      `bytes=${'0-,'.repeat(500)}0-`,
    ]
    for (const range of odd) {
      const reply = await ranged(client, url, range)
      if (reply.status === 416) expectError(reply, 'range_not_satisfiable')
      else assert.equal(reply.status, 200, range)
      if (reply.status === 200) assert.deepEqual(reply.body, image)
    }
  },

  // RFC 9110, 13.1.5
  'a range that holds only for another version of the output gives the whole output': async (client) => {
    const url = await outputUrl(client)
    const headers = [
      ['Range', 'bytes=0-3'],
      ['If-Range', '"another-version"'],
    ] as const
    const reply = await client.follow(url, { as: 'nobody', headers })
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.body, image)
  },

  // RFC 9110, 13.1.2, 13.1.5 and 8.8.3
  'an output with an etag is sent again only where it is another one': async (client) => {
    const url = await outputUrl(client)
    const { headers } = await client.follow(url, { as: 'nobody' })
    const etag = headers.get('etag') ?? ''
    assert.match(etag, /^"[!#-~]+"$/, 'a strong tag')
    const other = await client.follow(await outputUrl(client, quickVideo), { as: 'nobody' })
    assert.notEqual(other.headers.get('etag'), etag)

    for (const method of ['GET', 'HEAD'])
      for (const validator of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
        const reply = await client.follow(url, {
          method,
          as: 'nobody',
          headers: [['If-None-Match', validator]],
        })
        assert.equal(reply.status, 304, validator)
        assert.equal(reply.headers.get('etag'), etag)
        // RFC 9110, 8.6
        const length = reply.headers.get('content-length') ?? String(image.length)
        assert.equal(length, String(image.length), 'the length of another answer')
      }
    const reply = await client.follow(url, { as: 'nobody', headers: [['If-None-Match', '"another"']] })
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.body, image)
  },

  'a download of an output with an etag goes on with the very same output and no other': async (client) => {
    const url = await outputUrl(client)
    const etag = (await client.follow(url, { method: 'HEAD', as: 'nobody' })).headers.get('etag')
    assert(etag)
    const goOn = (ifRange: string) =>
      client.follow(url, {
        as: 'nobody',
        headers: [
          ['Range', 'bytes=4-'],
          ['If-Range', ifRange],
        ],
      })
    const rest = await goOn(etag)
    assert.equal(rest.status, 206)
    assert.deepEqual(rest.body, image.subarray(4))
    assert.equal(rest.headers.get('etag'), etag)
    for (const other of ['"another"', `W/${etag}`, 'Sat, 01 Jan 2028 00:00:00 GMT']) {
      const reply = await goOn(other)
      assert.equal(reply.status, 200, other)
      assert.deepEqual(reply.body, image)
    }
  },

  'a token that was tampered with opens nothing and looks like any unknown one': async (client) => {
    const url = await outputUrl(client)
    const start = client.url('/v1/outputs/').length
    const flip = (at: number) => url.slice(0, at) + (url[at] === 'A' ? 'B' : 'A') + url.slice(at + 1)
    const middle = start + Math.floor((url.length - start) / 2)
    const tampered = [flip(start), flip(start + 5), flip(middle), flip(url.length - 8)]
    const cut = [
      url.slice(0, -2),
      url.slice(0, middle),
      `${url}AA`,
      `${url}.AA`,
      `${url}%00`,
      `${url}=`,
      `${url}/x`,
    ]
    for (const forged of [
      ...tampered,
      ...cut,
      client.url('/v1/outputs/x'),
      client.url('/v1/outputs/a.b.c'),
    ]) {
      const reply = await client.follow(forged, { as: 'nobody' })
      assert.equal(reply.status, 404, `${forged}: ${reply.head}`)
      assert.match(reply.text, /"code":"(file|route)_not_found"/)
    }
  },

  'an output takes no other method than GET and HEAD': async (client) => {
    const url = await outputUrl(client)
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expectError(await client.follow(url, { method }), 'method_not_allowed')
  },

  'an output of a type that we do not know is a download in a sandbox, not a page': async (client) => {
    // No text has the character \x01.
    const text = '\x01<!doctype html><script>alert(1)</script>'
    for (const type of ['text/html', 'image/png', 'image/svg+xml', 'text/html\r\nX-Evil: 1']) {
      const url = await outputUrl(client, { ...anything, file: { text, type } })
      const reply = await client.follow(url, { as: 'nobody' })
      assert.equal(reply.status, 200)
      assert.match(reply.headers.get('content-disposition') ?? '', /^attachment\b/)
      assert.match(reply.headers.get('content-security-policy') ?? '', /\bsandbox\b/)
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
      assert.doesNotMatch(reply.headers.get('content-type') ?? '', /html|svg|xml/)
      assert.equal(reply.headers.has('x-evil'), false)
    }
  },

  'a drawing (SVG) has its type, and is a download in a sandbox where its scripts can not run': async (
    client,
  ) => {
    const text = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    for (const type of ['image/svg+xml', 'image/png', 'text/html']) {
      const url = await outputUrl(client, { ...anything, file: { text, type } })
      const reply = await client.follow(url, { as: 'nobody' })
      assert.equal(reply.status, 200)
      assert.equal(reply.text, text)
      assert.equal(reply.headers.get('content-type'), 'image/svg+xml')
      assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; filename="[^"]+\.svg"$/)
      assert.match(reply.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
      assert.doesNotMatch(reply.headers.get('content-security-policy') ?? '', /script|allow-/)
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    }
  },

  'a large output comes whole, in parts, and to a client that leaves in the middle of it': async (client) => {
    const url = await outputUrl(client, { ...anything, file: { text: '\x01123456789', times: 400_000 } })
    const leaving = client.open()
    leaving.write(client.bytes({ path: url.slice(client.url('').length), as: 'nobody' }).head)
    await leaving.begun()
    leaving.destroy()
    const whole = await client.follow(url, { as: 'nobody' })
    assert.equal(whole.body.length, 4_000_000)
    assert.equal(whole.body.toString('latin1', 3_999_990), '\x01123456789')
    const part = await ranged(client, url, 'bytes=1999995-2000004')
    assert.equal(part.status, 206)
    assert.equal(part.text, '56789\x011234')
  },

  'an expired job is gone: the job, its files, and outputs that were handed out': async (client) => {
    const { id } = await client.createAndWait(shortLived)
    const goneAt = Date.now() + shortLifeMs
    const redirect = await client.send({ path: `/v1/files/${id}` })
    assert.equal(redirect.status, 302)
    await new Promise((resolve) => setTimeout(resolve, goneAt - Date.now() + 200))
    expectError(await client.send({ path: `/v1/jobs/${id}` }), 'job_not_found')
    expectError(await client.send({ path: `/v1/files/${id}` }), 'job_not_found')
    expectError(
      await client.follow(redirect.headers.get('location') ?? '', { as: 'nobody' }),
      'file_not_found',
    )
  },
}
