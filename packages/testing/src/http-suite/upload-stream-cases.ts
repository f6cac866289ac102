import assert from 'node:assert/strict'
import { expectError } from './expect-error.ts'
import { chunk, type SuiteRequest } from './request.ts'
import type { Cases } from './suite-client.ts'
import { anything, suiteLimits } from './suite-jobs.ts'
import { expectUpload, pictureOf, upload, uploading } from './suite-uploads.ts'

const chunked: SuiteRequest = { ...uploading, headers: [['Transfer-Encoding', 'chunked']] }
const tooMany = suiteLimits.maxUploadBytes + 1

/** Uploads that arrive in pieces, late, incomplete, or longer than announced. */
export const uploadStreamCases: Cases = {
  'an upload in chunks is stored whole': async (client) => {
    const bytes = pictureOf(300_000)
    const connection = client.open()
    connection.write(client.bytes(chunked).head)
    for (let at = 0; at < bytes.length; at += 70_000) connection.write(chunk(bytes.subarray(at, at + 70_000)))
    connection.write('0\r\n\r\n')
    assert.equal(expectUpload(await connection.next()).bytes, bytes.length)
    connection.destroy()
  },

  // RFC 9110, 6.5.1: a trailer may not say who sends, how long the body is, or what it is.
  'the trailers of an upload change nothing': async (client) => {
    const bytes = pictureOf(2000)
    const connection = client.open()
    const trailers = 'Authorization: Bearer none\r\nContent-Type: text/html\r\nX-Trailer: 1\r\n'
    connection.write(
      Buffer.concat([client.bytes(chunked).head, chunk(bytes), Buffer.from(`0\r\n${trailers}\r\n`)]),
    )
    const reply = await connection.next()
    // Bun 1.4 takes trailers for a further request, and refuses that with an empty 400, perhaps before the upload's answer.
    if (reply?.status === 400 && reply.text === '') return connection.destroy()
    const stored = expectUpload(reply)
    assert.deepEqual([stored.bytes, stored.content_type], [bytes.length, 'image/png'])
    connection.destroy()
    const { data } = await client.createAndWait({ ...anything, copy_of: stored.url })
    const location = (await client.follow(data[0]?.url ?? '')).headers.get('location') ?? ''
    assert((await client.follow(location)).body.equals(bytes), 'other bytes were stored')
  },

  'an upload that expects 100-continue and is refused gets its answer, and its body is not waited for':
    async (client) => {
      const expecting = { ...uploading, headers: [['Expect', '100-continue']] as const }
      const refused = [
        [{ contentLength: tooMany }, 'request_too_large'],
        [{ contentLength: 1000, contentType: 'multipart/form-data; boundary=x' }, 'unsupported_media_type'],
      ] as const
      for (const [changes, code] of refused) {
        const connection = client.open()
        connection.write(client.bytes({ ...expecting, ...changes }).head)
        expectError(await connection.next(), code)
        connection.destroy()
      }
    },

  'an upload that is announced too large is 413 before a byte of it comes': async (client) => {
    const connection = client.open()
    connection.write(client.bytes({ ...uploading, contentLength: tooMany }).head)
    expectError(await connection.next(), 'request_too_large')
    connection.destroy()
  },

  'an upload that grows too large is 413 without being read to its end': async (client) => {
    const connection = client.open()
    const piece = chunk(pictureOf(64 * 1024))
    connection.write(client.bytes(chunked).head)
    for (let sent = 0; sent < tooMany + piece.length; sent += piece.length) connection.write(piece)
    expectError(await connection.next(), 'request_too_large')
    connection.destroy()
  },

  'an upload that stands still is 408': async (client) => {
    const connection = client.open()
    const { head, body } = client.bytes({ ...uploading, body: pictureOf(1000) })
    connection.write(Buffer.concat([head, body.subarray(0, 500)]))
    expectError(await connection.next(), 'request_timeout')
    connection.destroy()
  },

  'uploads that are cut off harm nobody, and take no place for longer': async (client) => {
    const whole = client.bytes({ ...uploading, body: pictureOf(100_000) })
    for (let count = 0; count < 20; count++) {
      const connection = client.open()
      connection.write(Buffer.concat([whole.head, whole.body.subarray(0, 50_000)]))
      connection.end()
      const reply = await connection.next()
      // A loaded machine may need a moment until the places of the uploads before are free.
      const isRefused = reply && ((reply.status >= 400 && reply.status < 500) || reply.status === 503)
      assert(!reply || isRefused, reply?.head)
      connection.destroy()
    }
    for (let tries = 1; ; tries++) {
      const file = await upload(client).catch((error: unknown) => {
        if (tries === 20) throw error
      })
      if (file) return
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  },

  // RFC 9110, 10.1.1
  'an upload that expects 100-continue gets it, or its answer at once': async (client) => {
    const connection = client.open()
    const { head, body } = client.bytes({
      ...uploading,
      body: pictureOf(1000),
      headers: [['Expect', '100-continue']],
    })
    connection.write(head)
    await connection.continued(suiteLimits.bodyTimeoutMs * 0.6)
    connection.write(body)
    expectUpload(await connection.next())
    connection.destroy()
  },
}
