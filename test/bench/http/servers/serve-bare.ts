import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { announce } from './control.ts'
import {
  errorObject,
  findJob,
  jobObject,
  newRequestId,
  ownerOf,
  readableIds,
  type StoredJob,
} from './hand-written.ts'
import { host } from './workload.ts'

const jobsPath = '/v1/jobs/'
/** The largest request body, as with genmount. */
const maxBodyBytes = 20 * 1024 * 1024
const tooLarge = Symbol('too large')

/** What a server on bare node:http does with the body of a create. */
export interface BareServer {
  /** Stores a job for a valid body. @returns `undefined` for an invalid body */
  readonly createJob: (body: unknown) => StoredJob | undefined
  /** How many jobs the provider has accepted and not finished. @default jobs do not run */
  readonly openJobs?: () => number
}

/** Serves the jobs on bare node:http. */
export function serveBare({ createJob, openJobs }: BareServer): void {
  const server = createServer((request, response) => {
    const requestId = newRequestId()
    const { method, url = '/' } = request
    const owner = ownerOf(request.headers.authorization)
    if (owner === undefined) {
      return send(response, 401, requestId, errorObject('invalid_api_key', requestId), {
        'www-authenticate': 'Bearer',
      })
    }
    const baseUrl = `http://${request.headers.host}`
    if (method === 'GET' && url.startsWith(jobsPath)) {
      const job = findJob(url.slice(jobsPath.length), owner)
      return job
        ? send(response, 200, requestId, jobObject(job, baseUrl))
        : send(response, 404, requestId, errorObject('job_not_found', requestId))
    }
    if (method === 'POST' && url === '/v1/video/generations') {
      return readBody(request, (body) => {
        if (body === tooLarge)
          return send(response, 413, requestId, errorObject('request_too_large', requestId), {
            connection: 'close',
          })
        const job = createJob(body)
        if (!job) return send(response, 400, requestId, errorObject('invalid_request', requestId))
        const headers = { location: `${baseUrl}/v1/jobs/${job.id}`, 'retry-after': '3' }
        send(response, 202, requestId, jobObject(job, baseUrl), headers)
      })
    }
    send(response, 404, requestId, errorObject('route_not_found', requestId))
  })
  server.listen(0, host, () => announce((server.address() as AddressInfo).port, readableIds, openJobs))
}

function readBody(request: IncomingMessage, take: (body: unknown) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBodyBytes) return void chunks.push(chunk)
    request.off('data', onData).off('end', onEnd).resume()
    take(tooLarge)
  }
  const onEnd = () => take(parsed(Buffer.concat(chunks).toString()))
  request.on('data', onData).on('end', onEnd)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function send(
  response: ServerResponse,
  status: number,
  requestId: string,
  value: object,
  more?: Record<string, string>,
): void {
  const body = JSON.stringify(value)
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
  }
  response.writeHead(status, more ? Object.assign(headers, more) : headers)
  response.end(body)
}
