import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
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

interface Locals extends Record<string, unknown> {
  requestId: string
  owner: string
}
type Handler = RequestHandler<Record<string, string>, unknown, unknown, unknown, Locals>

const app = express()
// The other servers send neither of these headers, and the ETag alone would cost Express a quarter of its
// speed.
app.disable('etag')
app.disable('x-powered-by')

const begin: Handler = (request, response, next) => {
  const requestId = newRequestId()
  response.locals.requestId = requestId
  response.set('x-request-id', requestId)
  response.set('cache-control', 'no-store')
  const owner = ownerOf(request.headers.authorization)
  if (owner === undefined) {
    response.set('www-authenticate', 'Bearer')
    return void response.status(401).json(errorObject('invalid_api_key', requestId))
  }
  response.locals.owner = owner
  next()
}

const getJob: Handler = (request, response) => {
  const { owner, requestId } = response.locals
  const job = findJob(request.params['id'], owner)
  if (job) response.json(jobObject(job, `http://${request.headers.host}`))
  else response.status(404).json(errorObject('job_not_found', requestId))
}

const create: Handler = (request, response) => {
  const job = createJob(request.body)
  if (!job) {
    return void response.status(400).json(errorObject('invalid_request', response.locals.requestId))
  }
  const baseUrl = `http://${request.headers.host}`
  response.set('location', `${baseUrl}/v1/jobs/${job.id}`)
  response.set('retry-after', '3')
  response.status(202).json(jobObject(job, baseUrl))
}

const notFound: Handler = (_request, response) =>
  void response.status(404).json(errorObject('route_not_found', response.locals.requestId))

const answerError: ErrorRequestHandler = (_error, _request, response, _next) =>
  void response.status(400).json(errorObject('invalid_json', String(response.locals['requestId'])))

app.use('/v1', begin as unknown as RequestHandler)
app.get('/v1/jobs/:id', getJob as unknown as RequestHandler)
app.post('/v1/video/generations', express.json(), create as unknown as RequestHandler)
app.use(notFound as unknown as RequestHandler)
app.use(answerError)

const server = app.listen(0, host, () => announce((server.address() as AddressInfo).port, readableIds))
