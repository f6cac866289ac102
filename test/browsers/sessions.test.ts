import { createGenerationService } from '@genmount/core'
import { toExpressMiddleware } from '@genmount/express-middleware'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'
import express from 'express'
import { Hono, type Context } from 'hono'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'
import { jwt, sign, type JwtVariables } from 'hono/jwt'
import { expect, onTestFinished, test } from 'vitest'
import { served } from '../served.ts'

const kite = { method: 'POST', body: JSON.stringify({ model: 'fake-image', prompt: 'a kite' }) }
const json = { 'content-type': 'application/json' }

function newService() {
  const service = createGenerationService({ providers: [fakeProvider()], log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  return service
}

/** Fails unless the request creates a job that the same visitor sees, and that nobody sees without signing in. */
async function expectOwnJob(fetch: (path: string, init: RequestInit) => Promise<Response>, headers: object) {
  const created = await fetch('/media/v1/generate', { ...kite, headers: { ...json, ...headers } })
  expect(created.status).toBe(202)
  const { id } = (await created.json()) as { id: string }
  const statusFor = async (given: object) =>
    (await fetch(`/media/v1/jobs/${id}`, { headers: { ...given } })).status
  expect(await statusFor(headers)).toBe(200)
  expect(await statusFor({})).toBe(401)
}

const ownerOf = (userId: string | undefined) => (userId === undefined ? null : { owner: userId })

type SignedIn = express.Request & { session?: { userId?: string } }

test('a visitor with a session cookie of an Express app owns jobs without a bearer token', async () => {
  const sessions = new Map([['s-1', { userId: 'alice' }]])
  const app = express()
  app.use((request: SignedIn, _response, next) => {
    const session = sessions.get(/sid=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '')
    if (session) request.session = session
    next()
  })
  const media = toExpressMiddleware<SignedIn>(newService(), {
    credentials: 'any',
    authenticate: ({ request }) => ownerOf(request.session?.userId),
  })
  app.use('/media', media)
  const origin = await served(app)
  await expectOwnJob((path, init) => fetch(origin + path, init), { cookie: 'sid=s-1' })
})

test('a visitor with a token for the JWT middleware of Hono owns jobs without a bearer token', async () => {
  const app = new Hono<{ Variables: JwtVariables<{ sub: string }> }>()
  const handle = toFetchHandler<Context<{ Variables: JwtVariables<{ sub: string }> }>>(newService(), {
    mountPath: '/media',
    credentials: 'any',
    authenticate: ({ context }) => ownerOf(context?.get('jwtPayload').sub),
  })
  app.use('/media/*', jwt({ secret: 'a secret of the app', alg: 'HS256', cookie: 'token' }))
  app.all('/media/v1/*', (context) => handle(context.req.raw, context))
  const cookie = `token=${await sign({ sub: 'alice' }, 'a secret of the app', 'HS256')}`
  await expectOwnJob(async (path, init) => app.request(path, init), { cookie })
})

test('a visitor with a signed cookie of Hono owns jobs without a bearer token, and so does a script with an API key', async () => {
  const secret = 'a secret of the app'
  const keys = apiKeys({ robot: 'robot-key' })
  const app = new Hono()
  const handle = toFetchHandler<Context>(newService(), {
    mountPath: '/media',
    credentials: 'any',
    authenticate: async ({ token, context }) => {
      if (token !== undefined) return keys(token)
      const owner = context && (await getSignedCookie(context, secret, 'owner'))
      return owner ? { owner } : null
    },
  })
  app.post('/sign-in', async (context) => {
    await setSignedCookie(context, 'owner', 'alice', secret)
    return context.text('welcome')
  })
  app.all('/media/v1/*', (context) => handle(context.req.raw, context))
  const welcome = await app.request('/sign-in', { method: 'POST' })
  const cookie = welcome.headers.get('set-cookie')!.split(';')[0]!
  const request = async (path: string, init: RequestInit) => app.request(path, init)
  await expectOwnJob(request, { cookie })
  await expectOwnJob(request, { authorization: 'Bearer robot-key' })
})

test('a visitor whom a proxy names in a header owns jobs without a bearer token on node:http', async () => {
  const handler = toNodeHandler(newService(), {
    mountPath: '/media',
    credentials: 'any',
    authenticate: ({ request }) => ownerOf(request.headers['x-user']?.toString()),
  })
  const origin = await served(handler)
  await expectOwnJob((path, init) => fetch(origin + path, init), { 'x-user': 'alice' })
})
