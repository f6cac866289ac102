import { announce } from './announce.ts'
import { type Answer, createAnswer, jobAnswer, ownerOf, readableIds, refusal } from './hand-written.ts'
import { serveFetch } from './serve-fetch.ts'

const jobsPath = '/v1/jobs/'

function fetch(request: Request): Response | Promise<Response> {
  const { method, url, headers } = request
  const owner = ownerOf(headers.get('authorization') ?? undefined)
  if (owner === undefined) return reply(refusal(401, 'invalid_api_key'))
  const path = url.slice(url.indexOf('/', 'http://'.length))
  const host = headers.get('host') ?? ''
  if (method === 'GET' && path.startsWith(jobsPath))
    return reply(jobAnswer(path.slice(jobsPath.length), owner, host))
  if (method === 'POST' && path === '/v1/video/generations')
    return request.json().then(
      (body) => reply(createAnswer(body, host)),
      () => reply(refusal(400, 'invalid_json')),
    )
  return reply(refusal(404, 'route_not_found'))
}

function reply({ status, headers, value }: Answer): Response {
  headers['content-type'] = 'application/json'
  return new Response(JSON.stringify(value), { status, headers })
}

serveFetch(fetch, (port) => announce(port, readableIds))
