import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { host } from '../../workload.ts'
import { announce } from './announce.ts'
import { type Answer, createAnswer, jobAnswer, ownerOf, readableIds, refusal } from './hand-written.ts'

const app = new Hono<{ Variables: { owner: string } }>()

function send(context: Context, { status, headers, value }: Answer): Response {
  return context.json(value, status as ContentfulStatusCode, headers)
}

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

serve({ fetch: app.fetch, hostname: host, port: 0 }, ({ port }) => announce(port, readableIds))
