import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { expectError, expectOneOf } from './expect-error.ts'
import type { Cases } from './suite-client.ts'
import { anything, suiteLimits } from './suite-jobs.ts'
import { pictureOf, upload, uploading } from './suite-uploads.ts'

/** The first bytes of files, and the types that they show. */
const beginnings = [
  ['\xff\xd8\xff\xe0\0\x10JFIF\0\x01', 'image/jpeg'],
  ['\0\0\0\x1cftypisom\0\0\x02\0', 'video/mp4'],
  ['\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf', 'image/avif'],
  ['\0\0\0\x18ftypmif1\0\0\0\0mif1heic', 'image/heic'],
  ['\0\0\0\x08wide\0\0\0\x08mdat', 'video/quicktime'],
  ['II*\0\x08\0\0\0', 'image/tiff'],
  ['RIFF\x24\0\0\0WAVEfmt ', 'audio/wav'],
  ['ID3\x04\0\0\0\0\0\0\0\0', 'audio/mpeg'],
] as const

export const uploadCases: Cases = {
  'an upload is larger than other bodies may be, and a job that refers to it gets exactly its bytes': async (
    client,
  ) => {
    const bytes = pictureOf(suiteLimits.maxUploadBytes)
    const stored = await upload(client, bytes)
    assert.equal(stored.content_type, 'image/png')
    assert.equal(stored.bytes, bytes.length)
    if (stored.sha256 !== null) assert.equal(stored.sha256, createHash('sha256').update(bytes).digest('hex'))
    const { input, data } = await client.createAndWait({ ...anything, copy_of: stored.url })
    assert.deepEqual(input, { copy_of: stored.url })
    const location = (await client.follow(data[0]?.url ?? '')).headers.get('location') ?? ''
    const output = await client.follow(location)
    assert.equal(output.headers.get('content-type'), 'image/png')
    assert(output.body.equals(bytes), 'the provider got other bytes')
  },

  'the type of an upload is that of its first bytes, whatever the client says': async (client) => {
    for (const [beginning, type] of beginnings)
      for (const contentType of ['text/html', undefined]) {
        const stored = await upload(client, Buffer.from(beginning.padEnd(50), 'latin1'), { contentType })
        assert.equal(stored.content_type, type)
      }
  },

  'what is no image, video or audio file is 415 for an upload, and nothing at all is 400': async (client) => {
    const junk = [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'x'.repeat(100_000),
      'GIF89a is a text',
      'short',
    ]
    for (const body of junk) expectError(await client.send({ ...uploading, body }), 'unsupported_media_type')
    expectError(await client.send({ ...uploading, body: '' }), 'invalid_request')
  },

  'a form and a compressed body are 415 for an upload, and a parsed one tells what to send': async (
    client,
  ) => {
    const form = { ...uploading, contentType: 'multipart/form-data; boundary=x', body: pictureOf(100) }
    expectError(await client.send(form), 'unsupported_media_type', { param: 'content-type' })
    const packed = { ...uploading, headers: [['Content-Encoding', 'gzip']] as const, body: pictureOf(100) }
    expectError(await client.send(packed), 'unsupported_media_type', { param: 'content-encoding' })
    const json = await client.send({ ...uploading, contentType: 'application/json', body: {} })
    expectError(json, 'unsupported_media_type')
  },

  'an upload that is unknown or of another owner is the same 400, which names the field': async (client) => {
    const { url } = await upload(client, pictureOf(100), { as: 'bob' })
    const unknown = url.replace(/[0-9a-f]{8}(?=\.)/, '00000000')
    for (const wrong of [url, unknown, 'upload://', 'upload://../x', `${url}%00`]) {
      const reply = await client.send({
        path: '/v1/generate',
        body: { ...anything, parts: [{ image: wrong }] },
      })
      expectError(reply, 'invalid_request', { param: 'parts.0.image' })
      assert.equal(
        JSON.parse(reply.text).error.message,
        'parts.0.image: There is no such upload, or it has expired.',
      )
    }
  },

  'an upload that is deleted is gone, and nobody deletes that of another owner': async (client) => {
    const { id, url } = await upload(client)
    const path = `/v1/uploads/${id}`
    expectError(await client.send({ method: 'DELETE', path, as: 'bob' }), 'file_not_found')
    const reply = await client.send({ method: 'DELETE', path })
    assert.equal(reply.status, 204)
    assert.equal(reply.body.length, 0)
    for (const gone of [path, '/v1/uploads/no-such-upload', '/v1/uploads/%00'])
      expectError(await client.send({ method: 'DELETE', path: gone }), 'file_not_found')
    const create = await client.send({ path: '/v1/generate', body: { ...anything, copy_of: url } })
    expectError(create, 'invalid_request', { param: 'copy_of' })
  },

  'uploads need the key, and their paths tell their methods': async (client) => {
    expectError(await client.send({ ...uploading, as: 'nobody', body: pictureOf(100) }), 'missing_api_key')
    expectError(
      await client.send({ method: 'DELETE', path: '/v1/uploads/x', as: 'nobody' }),
      'missing_api_key',
    )
    for (const [path, allow] of [
      ['/v1/uploads', 'POST, OPTIONS'],
      ['/v1/uploads/x', 'DELETE, OPTIONS'],
    ] as const) {
      assert.equal((await client.send({ method: 'OPTIONS', path })).headers.get('allow'), allow)
      expectError(await client.send({ path }), 'method_not_allowed')
    }
    expectOneOf(await client.send({ path: '/v1/uploads/' }), ['method_not_allowed', 'route_not_found'])
  },

  'the link to an input is 404 without its secret': async (client) => {
    for (const path of [`gen_x/${'a'.repeat(64)}/x.png`, '%00/x/y', 'gen_x/short/x.png'])
      expectError(await client.send({ path: `/v1/inputs/${path}`, as: 'nobody' }), 'file_not_found')
  },
}
