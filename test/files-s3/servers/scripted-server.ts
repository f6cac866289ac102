import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { S3FilesOptions } from '@genmount/files-s3'
import { listen } from '../../loopback.ts'

interface Reply {
  readonly status: number
  readonly body: string | Buffer
}

/** What the server does with a request in place of its work: an answer, or a connection that breaks. */
export type Fault = Reply | 'answer lost' | 'reset' | undefined

/** An answer as S3 gives it when it refuses something. */
export const refusing = (status: number, code: string): Reply => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`,
})

/** Asks for the fault of a request, such as `PUT film?partNumber=1`, that is made for the `count`th time. */
export type Script = (request: string, count: number) => Fault

/**
 * A server for one bucket that checks no signatures and makes mistakes by a script. It stops when the test has ended.
 */
export async function scriptedServer(script: Script, onFinished = onTestFinished) {
  const objects = new Map<string, { readonly body: Buffer; readonly headers: IncomingHttpHeaders }>()
  const uploads = new Map<string, { readonly headers: IncomingHttpHeaders; readonly parts: Buffer[] }>()
  const requests: string[] = []

  function work(
    method: string,
    name: string,
    query: URLSearchParams,
    body: Buffer,
    headers: IncomingHttpHeaders,
  ): Reply {
    const id = query.get('uploadId') ?? `upload-${uploads.size + 1}`
    const upload = uploads.get(id)
    if (query.has('uploads')) {
      uploads.set(id, { headers, parts: [] })
      const xml = `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`
      return { status: 200, body: xml }
    }
    if (query.has('uploadId') && !upload) return refusing(404, 'NoSuchUpload')
    if (upload && method === 'PUT') upload.parts[Number(query.get('partNumber')) - 1] = body
    else if (upload) {
      if (method === 'POST') objects.set(name, { body: Buffer.concat(upload.parts), headers: upload.headers })
      uploads.delete(id)
    } else if (method === 'PUT') objects.set(name, { body, headers })
    else if (method === 'DELETE') objects.delete(name)
    else if (method === 'HEAD' && !objects.has(name)) return { status: 404, body: '' }
    const read = method === 'GET' ? objects.get(name)?.body : undefined
    return { status: method === 'DELETE' ? 204 : 200, body: read ?? '' }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers, socket } = request
    const { pathname, searchParams } = new URL(url, 'http://s3.test')
    const name = pathname.replace('/outputs/', '')
    const part = searchParams.get('partNumber')
    const query = part ? `partNumber=${part}` : ['uploads', 'uploadId'].find((key) => searchParams.has(key))
    const asked = `${method} ${name}${query ? `?${query}` : ''}`
    requests.push(asked)
    const fault = script(asked, requests.filter((each) => each === asked).length)
    if (fault === 'reset') return void socket.destroy()
    const body = await buffer(request)
    const reply = typeof fault === 'object' ? fault : work(method, name, searchParams, body, headers)
    if (fault === 'answer lost') return void socket.destroy()
    const mark = method === 'HEAD' ? objects.get(name)?.headers['x-amz-meta-upload'] : undefined
    response
      .writeHead(reply.status, { etag: '"tag"', ...(mark && { 'x-amz-meta-upload': mark }) })
      .end(reply.body)
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
