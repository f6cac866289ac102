import assert from 'node:assert/strict'
import type { Reply } from './reply.ts'
import type { SuiteRequest } from './request.ts'
import type { SuiteClient } from './suite-client.ts'

/** The upload object, as it comes over the wire. */
export interface WireUpload {
  readonly id: string
  readonly url: string
  readonly content_type: string
  readonly bytes: number
  readonly sha256: string | null
  readonly created_at: string
  readonly expires_at: string
}

/** A request that uploads a file. */
export const uploading = { path: '/v1/uploads', method: 'POST', contentType: 'image/png' } as const

/** Bytes that begin as a PNG picture does. */
export function pictureOf(bytes: number): Buffer {
  const picture = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at++) picture[at] = (at * 31 + (at >> 8) * 17) % 251
  picture.set(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
  return picture
}

/** The upload in a reply. Fails if the reply is not 201 with an upload object. */
export function expectUpload(reply: Reply | undefined): WireUpload {
  assert.equal(reply?.status, 201, reply?.text)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json\b/)
  const { object, ...shown } = JSON.parse(reply.text) as WireUpload & { readonly object: unknown }
  assert.equal(object, 'upload')
  assert.deepEqual(Object.keys(shown), [
    'id',
    'url',
    'content_type',
    'bytes',
    'sha256',
    'created_at',
    'expires_at',
  ])
  assert.match(shown.url, /^upload:\/\//)
  assert(Date.parse(shown.expires_at) > Date.now(), shown.expires_at)
  return shown
}

/** Uploads a file. Fails if the status is not 201. */
export async function upload(
  client: SuiteClient,
  body: Uint8Array = pictureOf(1000),
  request: Partial<SuiteRequest> = {},
): Promise<WireUpload> {
  return expectUpload(await client.send({ ...uploading, body, ...request }))
}
