import { createRequire } from 'node:module'
import express from 'express'
import { apiKeys, toExpressMiddleware } from '@genmount/express-middleware'
import { listen } from '../loopback.ts'
import { foreignBody, type Host, hostInProcess, type HostTraits } from './host.ts'

const express4 = createRequire(import.meta.url)('express4') as typeof express

/** The app's word on bodies that `express.json()` refuses; without it, Express prints and shows their stack. */
const answerError: express.ErrorRequestHandler = (error: { status?: number }, _request, response, _next) =>
  void response.status(error.status ?? 500).end()

function expressHost(name: string, framework: typeof express, traits: HostTraits = {}): Host {
  return hostInProcess(
    name,
    ({ service, options, keys }) => {
      const app = framework()
      if (traits.parsesBodies) app.use(framework.json({ limit: options.maxBodyBytes }))
      const middleware = toExpressMiddleware(service, { ...options, authenticate: apiKeys(keys) })
      app.use(traits.mountPath ?? '/', middleware)
      app.use((_request, response) => void response.status(404).type('text/plain').send(foreignBody))
      app.use(answerError)
      return listen(app)
    },
    { ...traits, foreignBody },
  )
}

export const expressHosts: readonly Host[] = [
  expressHost('Express 4', express4),
  expressHost('Express 4 behind express.json() under a prefix', express4, {
    mountPath: '/media',
    parsesBodies: true,
    isVariant: true,
  }),
  expressHost('Express 5', express),
  expressHost('Express 5 behind express.json()', express, { parsesBodies: true, isVariant: true }),
  expressHost('Express 5 under a prefix', express, { mountPath: '/any/prefix', isVariant: true }),
]
