import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler, type Response } from 'express'
import { host } from '../../workload.ts'
import { announce } from './announce.ts'
import { type Answer, createAnswer, jobAnswer, ownerOf, readableIds, refusal } from './hand-written.ts'

const app = express()
// The other servers send neither of these headers, and the ETag alone would cost Express a quarter of its
// speed.
app.disable('etag')
app.disable('x-powered-by')

function send(response: Response, { status, headers, value }: Answer): void {
  response.set(headers)
  response.status(status).json(value)
}

const answerError: ErrorRequestHandler = (_error, _request, response, _next) =>
  send(response, refusal(400, 'invalid_json'))

app.use('/v1', (request, response, next) => {
  const owner = ownerOf(request.headers.authorization)
  if (owner === undefined) return send(response, refusal(401, 'invalid_api_key'))
  response.locals['owner'] = owner
  next()
})
app.get('/v1/jobs/:id', (request, response) =>
  send(response, jobAnswer(request.params.id, response.locals['owner'], request.headers.host)),
)
app.post('/v1/video/generations', express.json(), (request, response) =>
  send(response, createAnswer(request.body, request.headers.host)),
)
app.use((_request, response) => send(response, refusal(404, 'route_not_found')))
app.use(answerError)

const server = app.listen(0, host, () => announce((server.address() as AddressInfo).port, readableIds))
