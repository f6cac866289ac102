import { createRequire } from 'node:module'
import express from 'express'
import { apiKeys, toExpressMiddleware } from '@genmount/express-middleware'
import { httpSuiteService } from '@genmount/testing/http'
import { listen } from '../loopback.ts'
import { foreignBody, type Host } from './host.ts'

const express4 = createRequire(import.meta.url)('express4') as typeof express

/** The app's word on bodies that `express.json()` refuses; without it, Express prints and shows their stack. */
const answerError: express.ErrorRequestHandler = (error: { status?: number }, _request, response, _next) =>
  void response.status(error.status ?? 500).end()

function expressHost(
  name: string,
  framework: typeof express,
  { prefix = '/', parsesBodies = false } = {},
): Host {
  return {
    name,
    async start() {
      const { service, options, keys } = httpSuiteService()
      const app = framework()
      if (parsesBodies) app.use(framework.json({ limit: options.maxBodyBytes }))
      app.use(prefix, toExpressMiddleware(service, { ...options, authenticate: apiKeys(keys) }))
      app.use((_request, response) => void response.status(404).type('text/plain').send(foreignBody))
      app.use(answerError)
      const { origin, stop } = await listen(app)
      return {
        subject: { baseUrl: origin + prefix.replace(/\/$/, ''), keys, foreignBody, parsesBodies },
        async stop() {
          await service.close()
          await stop()
        },
      }
    },
  }
}

export const expressHosts: readonly Host[] = [
  expressHost('Express 4', express4),
  expressHost('Express 4 behind express.json() under a prefix', express4, {
    prefix: '/media',
    parsesBodies: true,
  }),
  expressHost('Express 5', express),
  expressHost('Express 5 behind express.json()', express, { parsesBodies: true }),
  expressHost('Express 5 under a prefix', express, { prefix: '/any/prefix' }),
]
