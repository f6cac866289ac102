import type { IncomingMessage, RequestListener } from 'node:http'
import process from 'node:process'
import type { ErrorRequestHandler, Response } from 'express'
import type { FastifyReply } from 'fastify'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import {
  type Answer,
  createAnswer,
  createJob,
  jobAnswer,
  ownerOf,
  readableIds,
  refusal,
  send,
} from './hand-written.ts'
import { openJobs, runNewJob } from './hand-written-runs.ts'
import { announce } from './serve.ts'
import { serveFetch } from './serve-fetch.ts'

/** The hand-written server on the host that the argument names. Only the code of this host is loaded. */

declare module 'fastify' {
  interface FastifyRequest {
    owner: string
  }
}

const jobsPath = '/v1/jobs/'
/** The largest request body, as with genmount. */
const maxBodyBytes = 20 * 1024 * 1024

/** Bare node:http. @param create stores a job, and may have it run */
function bare(create: typeof createJob): RequestListener {
  return (request, response) => {
    const { method, url = '/' } = request
    const owner = ownerOf(request.headers.authorization)
    if (owner === undefined) return send(response, refusal(401, 'invalid_api_key'))
    if (method === 'GET' && url.startsWith(jobsPath))
      return send(response, jobAnswer(url.slice(jobsPath.length), owner, request.headers.host))
    if (method === 'POST' && url === '/v1/video/generations')
      return readBody(request, (text) => {
        if (text === undefined)
          return send(response, refusal(413, 'request_too_large', { connection: 'close' }))
        send(response, createAnswer(parsed(text), request.headers.host, create))
      })
    send(response, refusal(404, 'route_not_found'))
  }
}

/** @param take gets `undefined` in place of a body that is too large */
function readBody(request: IncomingMessage, take: (text: string | undefined) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBodyBytes) return void chunks.push(chunk)
    request.off('data', onData).off('end', onEnd).resume()
    take(undefined)
  }
  const onEnd = () => take(Buffer.concat(chunks).toString())
  request.on('data', onData).on('end', onEnd)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function fastify(): Promise<RequestListener> {
  const app = (await import('fastify')).default()
  const send = (reply: FastifyReply, { status, headers, value }: Answer) =>
    reply.code(status).headers(headers).send(value)
  app.decorateRequest('owner', '')
  app.addHook('onRequest', (request, reply, next) => {
    const owner = ownerOf(request.headers.authorization)
    if (owner === undefined) return void send(reply, refusal(401, 'invalid_api_key'))
    request.owner = owner
    next()
  })
  app.get<{ Params: { id: string } }>('/v1/jobs/:id', (request, reply) =>
    send(reply, jobAnswer(request.params.id, request.owner, request.headers.host)),
  )
  app.post('/v1/video/generations', (request, reply) =>
    send(reply, createAnswer(request.body, request.headers.host)),
  )
  app.setNotFoundHandler((_request, reply) => send(reply, refusal(404, 'route_not_found')))
  app.setErrorHandler((_error, _request, reply) => send(reply, refusal(400, 'invalid_json')))
  await app.ready()
  return app.routing
}

async function hono(): Promise<RequestListener> {
  const { Hono } = await import('hono')
  const app = new Hono<{ Variables: { owner: string } }>()
  const send = (context: Context, { status, headers, value }: Answer) =>
    context.json(value, status as ContentfulStatusCode, headers)
  app.use('/v1/*', async (context, next) => {
    const owner = ownerOf(context.req.header('authorization'))
    if (owner === undefined) return send(context, refusal(401, 'invalid_api_key'))
    context.set('owner', owner)
    return next()
  })
  app.get('/v1/jobs/:id', (context) =>
    send(context, jobAnswer(context.req.param('id'), context.get('owner'), context.req.header('host'))),
  )
  app.post('/v1/video/generations', async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined)
    return send(context, createAnswer(body, context.req.header('host')))
  })
  app.notFound((context) => send(context, refusal(404, 'route_not_found')))
  return (await import('@hono/node-server')).getRequestListener(app.fetch)
}

async function express(): Promise<RequestListener> {
  const framework = (await import('express')).default
  // The other servers send neither of these headers, and the ETag alone would cost Express a quarter of its speed.
  const app = framework().disable('etag').disable('x-powered-by')
  const send = (response: Response, { status, headers, value }: Answer) =>
    void response.set(headers).status(status).json(value)
  app.use('/v1', (request, response, next) => {
    const owner = ownerOf(request.headers.authorization)
    if (owner === undefined) return send(response, refusal(401, 'invalid_api_key'))
    response.locals['owner'] = owner
    next()
  })
  app.get('/v1/jobs/:id', (request, response) =>
    send(response, jobAnswer(request.params.id, response.locals['owner'], request.headers.host)),
  )
  app.post('/v1/video/generations', framework.json(), (request, response) =>
    send(response, createAnswer(request.body, request.headers.host)),
  )
  app.use((_request, response) => send(response, refusal(404, 'route_not_found')))
  const answerError: ErrorRequestHandler = (_error, _request, response, _next) =>
    send(response, refusal(400, 'invalid_json'))
  return app.use(answerError)
}

/** Without a framework, for the servers of Bun and Deno. */
function answerFetch(request: Request) {
  const { method, url, headers } = request
  const reply = ({ status, headers, value }: Answer) => {
    headers['content-type'] = 'application/json'
    return new globalThis.Response(JSON.stringify(value), { status, headers })
  }
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

const listeners: Readonly<Record<string, () => RequestListener | Promise<RequestListener>>> = {
  node: () => bare(createJob),
  runs: () => bare(runNewJob),
  fastify,
  hono,
  express,
}

async function start(name = ''): Promise<string> {
  const listener = await listeners[name]?.()
  if (!listener) return serveFetch(answerFetch)
  const { listen } = await import('../../../loopback.ts')
  return (await listen(listener)).origin
}

announce(await start(process.argv[2]), readableIds, openJobs)
