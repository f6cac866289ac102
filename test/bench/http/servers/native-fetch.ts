import { announce } from './control.ts'
import {
  createJob,
  errorObject,
  findJob,
  jobObject,
  newRequestId,
  ownerOf,
  readableIds,
} from './hand-written.ts'
import { serveFetch } from './serve-fetch.ts'

const jobsPath = '/v1/jobs/'

function fetch(request: Request): Response | Promise<Response> {
  const requestId = newRequestId()
  const { method, url, headers } = request
  const owner = ownerOf(headers.get('authorization') ?? undefined)
  if (owner === undefined) {
    const challenge = { 'www-authenticate': 'Bearer' }
    return reply(401, requestId, errorObject('invalid_api_key', requestId), challenge)
  }
  const path = url.slice(url.indexOf('/', 'http://'.length))
  const baseUrl = `http://${headers.get('host')}`
  if (method === 'GET' && path.startsWith(jobsPath)) {
    const job = findJob(path.slice(jobsPath.length), owner)
    return job
      ? reply(200, requestId, jobObject(job, baseUrl))
      : reply(404, requestId, errorObject('job_not_found', requestId))
  }
  if (method === 'POST' && path === '/v1/video/generations') return create(request, requestId, baseUrl)
  return reply(404, requestId, errorObject('route_not_found', requestId))
}

async function create(request: Request, requestId: string, baseUrl: string): Promise<Response> {
  const job = createJob(await request.json().catch(() => undefined))
  if (!job) return reply(400, requestId, errorObject('invalid_request', requestId))
  const headers = { location: `${baseUrl}/v1/jobs/${job.id}`, 'retry-after': '3' }
  return reply(202, requestId, jobObject(job, baseUrl), headers)
}

function reply(status: number, requestId: string, value: object, more?: Record<string, string>): Response {
  const headers = {
    'content-type': 'application/json',
    'x-request-id': requestId,
    'cache-control': 'no-store',
  }
  return new Response(JSON.stringify(value), {
    status,
    headers: more ? Object.assign(headers, more) : headers,
  })
}

serveFetch(fetch, (port) => announce(port, readableIds))
