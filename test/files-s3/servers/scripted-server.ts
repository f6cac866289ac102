import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { S3FilesOptions } from '@genmount/files-s3'
import { listen } from '../../loopback.ts'

/** What the server does with a request in place of its work: an answer, or a connection that breaks. */
export type Fault = { readonly status: number; readonly body: string } | 'answer lost' | 'reset' | undefined

/** An answer as S3 gives it when it refuses something. */
export const refusing = (status: number, code: string): Fault => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`,
})

/** Asks for the fault of a request, such as `PUT film?partNumber=1`, that is made for the `count`th time. */
export type Script = (request: string, count: number) => Fault

/**
 * A server for one bucket that checks no signatures and makes mistakes by a script. It stops when the test has ended.
 */
export async function scriptedServer(script: Script, onFinished = onTestFinished) {
  const objects = new Map<string, { readonly body: Buffer; readonly headers: IncomingMessage['headers'] }>()
  const uploads = new Map<
    string,
    { readonly headers: IncomingMessage['headers']; readonly parts: Buffer[] }
  >()
  const requests: string[] = []

  function work(
    method: string,
    name: string,
    query: URLSearchParams,
    body: Buffer,
    request: IncomingMessage,
  ) {
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (query.has('uploads')) {
      const id = `upload-${uploads.size + 1}`
      uploads.set(id, { headers: request.headers, parts: [] })
      return {
        status: 200,
        body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      }
    }
    if (query.has('uploadId') && !upload) return refusing(404, 'NoSuchUpload')
    if (upload && method === 'PUT') {
      upload.parts[Number(query.get('partNumber')) - 1] = body
      return { status: 200, body: '' }
    }
    if (upload) {
      if (method === 'POST') objects.set(name, { body: Buffer.concat(upload.parts), headers: upload.headers })
      uploads.delete(query.get('uploadId') ?? '')
      return { status: method === 'POST' ? 200 : 204, body: '' }
    }
    if (method === 'PUT') objects.set(name, { body, headers: request.headers })
    if (method === 'HEAD' && !objects.has(name)) return { status: 404, body: '' }
    if (method === 'GET') return { status: 200, body: objects.get(name)?.body ?? '' }
    if (method === 'DELETE') objects.delete(name)
    return { status: method === 'DELETE' ? 204 : 200, body: '' }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', socket } = request
    const { pathname, searchParams } = new URL(url, 'http://s3.test')
    const name = pathname.replace('/outputs/', '')
    const shown = [...searchParams].filter(([key]) => !key.startsWith('X-Amz') && key !== 'uploadId')
    const isOfUpload = searchParams.has('uploadId') && shown.length === 0
    const told = `${method} ${name}${shown.map(([key, value]) => `?${key}${value && `=${value}`}`).join('')}${isOfUpload ? '?uploadId' : ''}`
    requests.push(told)
    const fault = script(told, requests.filter((each) => each === told).length)
    if (fault === 'reset') return void socket.destroy()
    const body = await buffer(request)
    const reply = typeof fault === 'object' ? fault : work(method, name, searchParams, body, request)
    if (fault === 'answer lost') return void socket.destroy()
    const mark = method === 'HEAD' ? objects.get(name)?.headers['x-amz-meta-upload'] : undefined
    response.writeHead(reply && typeof reply === 'object' ? reply.status : 200, {
      etag: '"tag"',
      ...(mark !== undefined && { 'x-amz-meta-upload': mark }),
    })
    response.end(typeof reply === 'object' ? reply.body : '')
  }

  const { origin, stop } = await listen((request, response) => void answer(request, response).catch(() => {}))
  onFinished(stop)
  const options: S3FilesOptions = {
    bucket: 'outputs',
    region: 'us-east-1',
    endpoint: origin,
    credentials: { accessKeyId: 'KEYID', secretAccessKey: 'a-secret-key', sessionToken: 'a-session-token' },
  }
  return { options, objects, uploads, requests }
}
