import { serve } from '@hono/node-server'
import { Hono } from 'hono'
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

const app = new Hono<{ Variables: { owner: string; requestId: string } }>()

app.use('/v1/*', async (context, next) => {
  const requestId = newRequestId()
  context.header('x-request-id', requestId)
  context.header('cache-control', 'no-store')
  const owner = ownerOf(context.req.header('authorization'))
  if (owner === undefined) {
    return context.json(errorObject('invalid_api_key', requestId), 401, { 'www-authenticate': 'Bearer' })
  }
  context.set('requestId', requestId)
  context.set('owner', owner)
  return next()
})

app.get('/v1/jobs/:id', (context) => {
  const job = findJob(context.req.param('id'), context.get('owner'))
  return job
    ? context.json(jobObject(job, `http://${context.req.header('host')}`))
    : context.json(errorObject('job_not_found', context.get('requestId')), 404)
})

app.post('/v1/video/generations', async (context) => {
  const job = createJob(await context.req.json().catch(() => undefined))
  if (!job) return context.json(errorObject('invalid_request', context.get('requestId')), 400)
  const baseUrl = `http://${context.req.header('host')}`
  const headers = { location: `${baseUrl}/v1/jobs/${job.id}`, 'retry-after': '3' }
  return context.json(jobObject(job, baseUrl), 202, headers)
})

app.notFound((context) => context.json(errorObject('route_not_found', context.get('requestId')), 404))

serve({ fetch: app.fetch, hostname: host, port: 0 }, ({ port }) => announce(port, readableIds))
