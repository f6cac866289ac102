import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { getRequestListener } from '@hono/node-server'
import { NestFactory } from '@nestjs/core'
import express, { type RequestHandler } from 'express'
import { fastify } from 'fastify'
import { onTestFinished } from 'vitest'
import { toExpressMiddleware } from '@genmount/express-middleware'
import { toFetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import { toNodeMcpHandler } from '@genmount/mcp/node'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { httpSuiteService } from '@genmount/testing/http'
import { originOf } from '../loopback.ts'
import { scriptCommand, startServer } from '../processes/start-server.ts'
import { served } from '../served.ts'
import { guardedFetch, guardStatus } from './guarded-fetch.ts'

/**
 * A host with a guard in front of genmount, such as a rate limit, that answers each request for `/v1` or one endpoint
 * with `guardStatus`. genmount gets all paths that the guard lets pass.
 */
export interface GuardedHost {
  readonly name: string
  readonly mountPath: string
  /** Whether the endpoint for agents is at `/mcp`, behind the guard too. */
  readonly hasAgents?: boolean
  start(): Promise<string>
}

const { service, options: suiteOptions, keys } = httpSuiteService()
const options = { ...suiteOptions, authenticate: apiKeys(keys) }

const refuse: RequestHandler = (_request, response) => void response.status(guardStatus).end()

/** A guard over the requests of node:http, by what `pathOf` makes of `req.url`. */
function nodeHost(name: string, pathOf: (req: IncomingMessage) => string | undefined): GuardedHost {
  const v1 = toNodeHandler(service, options)
  const mcp = toNodeMcpHandler(toMcpHandler(toFetchHandler(service, options)))
  const listener: RequestListener = (req, res) => {
    if (/^\/(?:v1|mcp)/.test(pathOf(req) ?? '')) res.writeHead(guardStatus).end()
    else if (parsedPath(req) === '/mcp') void mcp(req, res)
    else v1(req, res)
  }
  return { name, mountPath: '', hasAgents: true, start: () => served(listener) }
}

const parsedPath = ({ url = '' }: IncomingMessage) => URL.parse(url, 'http://host')?.pathname

function expressHost(name: string, framework: typeof express, guarded: string, mountPath = ''): GuardedHost {
  const app = framework()
  app.use(mountPath + guarded, refuse)
  app.use(mountPath || '/', toExpressMiddleware(service, options))
  return { name, mountPath, start: () => served(app) }
}

function fastifyHost(name: string, guarded: string): GuardedHost {
  const handle = toNodeHandler(service, options)
  return {
    name,
    mountPath: '',
    async start() {
      const app = fastify()
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('*', (_request, _body, done) => done(null))
      app.all(guarded, (_request, reply) => reply.code(guardStatus).send())
      if (guarded === '/v1') app.all('/v1/*', (_request, reply) => reply.code(guardStatus).send())
      app.all('/*', (request, reply) => {
        reply.hijack()
        handle(request.raw, reply.raw)
      })
      onTestFinished(() => app.close())
      return app.listen({ host: '127.0.0.1', port: 0 })
    },
  }
}

class NestModule {
  readonly name = 'an app without controllers'
}

const nestHost: GuardedHost = {
  name: 'NestJS',
  mountPath: '/media',
  async start() {
    const app = await NestFactory.create({ module: NestModule }, { logger: false })
    app.use('/media/v1', refuse)
    app.use('/media', toExpressMiddleware(service, options))
    onTestFinished(() => app.close())
    await app.listen(0, '127.0.0.1')
    return originOf(app.getHttpServer() as ReturnType<typeof createServer>)
  },
}

function honoOnNode(name: string, guarded: string): GuardedHost {
  const fetch = guardedFetch('hono', guarded)
  return {
    name,
    mountPath: '',
    start: () => served(getRequestListener(fetch, { overrideGlobalObjects: false })),
  }
}

function runtimeHost(runtime: 'bun' | 'deno', guard: 'hono' | 'url'): GuardedHost {
  return {
    name: `${guard === 'hono' ? 'Hono' : 'a guard by new URL()'} on ${runtime}`,
    mountPath: '',
    hasAgents: true,
    async start() {
      const script = new URL('guarded-server.ts', import.meta.url)
      return (await startServer(scriptCommand(runtime, script, guard))).origin
    },
  }
}

const express4 = createRequire(import.meta.url)('express4') as typeof express

export const guardedHosts: readonly GuardedHost[] = [
  nodeHost('node:http with a guard by the text of req.url', ({ url }) => url),
  // Koa and connect find the path of a request with the URL parser, too.
  nodeHost('node:http with a guard by the parsed URL', parsedPath),
  expressHost('Express 4', express4, '/v1'),
  expressHost('Express 5', express, '/v1'),
  expressHost('Express 5 with a guard of one endpoint', express, '/v1/generate'),
  expressHost('Express 4 under a prefix', express4, '/v1', '/media'),
  expressHost('Express 5 under a prefix', express, '/v1', '/media'),
  nestHost,
  fastifyHost('Fastify', '/v1'),
  fastifyHost('Fastify with a guard of one endpoint', '/v1/generate'),
  honoOnNode('Hono on Node', '/v1/*'),
  honoOnNode('Hono on Node with a guard of one endpoint', '/v1/generate'),
  runtimeHost('bun', 'hono'),
  runtimeHost('bun', 'url'),
  runtimeHost('deno', 'hono'),
  runtimeHost('deno', 'url'),
]
