import type { AddressInfo } from 'node:net'
import fastify, { type FastifyReply } from 'fastify'
import { host } from '../../workload.ts'
import { announce } from './announce.ts'
import { type Answer, createAnswer, jobAnswer, ownerOf, readableIds, refusal } from './hand-written.ts'

declare module 'fastify' {
  interface FastifyRequest {
    owner: string
  }
}

const app = fastify()
app.decorateRequest('owner', '')

function send(reply: FastifyReply, { status, headers, value }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(value)
}

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

await app.listen({ host, port: 0 })
announce((app.server.address() as AddressInfo).port, readableIds)
