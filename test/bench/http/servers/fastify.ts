import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
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
import { host } from './workload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    owner: string
  }
}

const app = fastify({ genReqId: newRequestId })
app.decorateRequest('owner', '')

app.addHook('onRequest', (request, reply, next) => {
  reply.header('x-request-id', request.id)
  reply.header('cache-control', 'no-store')
  const owner = ownerOf(request.headers.authorization)
  if (owner === undefined) {
    return void reply
      .code(401)
      .header('www-authenticate', 'Bearer')
      .send(errorObject('invalid_api_key', request.id))
  }
  request.owner = owner
  next()
})

app.get<{ Params: { id: string } }>('/v1/jobs/:id', (request, reply) => {
  const job = findJob(request.params.id, request.owner)
  if (job) reply.send(jobObject(job, `http://${request.headers.host}`))
  else reply.code(404).send(errorObject('job_not_found', request.id))
})

app.post('/v1/video/generations', (request, reply) => {
  const job = createJob(request.body)
  if (!job) return reply.code(400).send(errorObject('invalid_request', request.id))
  const baseUrl = `http://${request.headers.host}`
  return reply
    .code(202)
    .header('location', `${baseUrl}/v1/jobs/${job.id}`)
    .header('retry-after', '3')
    .send(jobObject(job, baseUrl))
})

app.setNotFoundHandler((request, reply) => reply.code(404).send(errorObject('route_not_found', request.id)))
app.setErrorHandler((_error, request, reply) => reply.code(400).send(errorObject('invalid_json', request.id)))

await app.listen({ host, port: 0 })
announce((app.server.address() as AddressInfo).port, readableIds)
