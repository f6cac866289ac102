import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { toExpressMiddleware } from '@genmount/express-middleware'
import { toFetchHandler } from '@genmount/fetch-handler'
import { toNodeHandler } from '@genmount/node-http'
import { type HttpSubject, httpSuiteService, type HttpSuiteService } from '@genmount/testing/http'
import { listen } from '../loopback.ts'
import { suiteOptions } from './suite-options.ts'
import { launchServer, scriptCommand } from '../processes/start-server.ts'

/** A way to run the service, ready to be put through the suite. */
export interface Host {
  readonly name: string
  /** Whether another host differs from this one in nothing but its path, who parses the bodies, and the version of Express. */
  readonly isVariant: boolean
  start(): Promise<RunningHost>
}

export interface RunningHost {
  readonly subject: HttpSubject
  stop(): Promise<void>
}

/** In which a host is a variant of another. */
interface Traits extends Pick<HttpSubject, 'publicUrl' | 'parsesBodies'> {
  /** The path under which the service is mounted, without a slash at its end. @default the root */
  readonly mountPath?: string
  /** Whether it is a variant though it is at the root and reads the bodies itself. @default false */
  readonly isVariant?: boolean
}

/** A host in this process, which serves the service of the suite. */
function hostInProcess(
  name: string,
  listenerOf: (suite: HttpSuiteService) => RequestListener,
  { mountPath = '', isVariant = false, ...traits }: Traits & Pick<HttpSubject, 'foreignBody'> = {},
): Host {
  return {
    name,
    isVariant:
      isVariant || mountPath !== '' || traits.publicUrl !== undefined || traits.parsesBodies === true,
    async start() {
      const suite = httpSuiteService()
      const { origin, stop } = await listen(listenerOf(suite))
      return {
        subject: { baseUrl: origin + mountPath, keys: suite.keys, ...traits },
        async stop() {
          await suite.service.close()
          await stop()
        },
      }
    },
  }
}

function nodeHost(name: string, traits: Traits = {}): Host {
  const mount = { mountPath: traits.mountPath, baseUrl: traits.publicUrl }
  return hostInProcess(
    name,
    (suite) => toNodeHandler(suite.service, { ...suiteOptions(suite), ...mount }),
    traits,
  )
}

export const nodeHosts: readonly Host[] = [
  nodeHost('node:http'),
  nodeHost('node:http under a prefix', { mountPath: '/any/prefix' }),
  nodeHost('node:http with a base URL', { publicUrl: 'https://media.example.com/api' }),
]

const express4 = createRequire(import.meta.url)('express4') as typeof express

/** What the app around the service answers to paths that the service leaves to it. */
const foreignBody = 'this is the app'

/** The app's word on bodies that `express.json()` refuses; without it, Express prints and shows their stack. */
const answerError: express.ErrorRequestHandler = (error: { status?: number }, _request, response, _next) =>
  void response.status(error.status ?? 500).end()

function expressHost(name: string, framework: typeof express, traits: Traits = {}): Host {
  return hostInProcess(
    name,
    (suite) => {
      const app = framework()
      if (traits.parsesBodies) app.use(framework.json({ limit: suite.options.maxBodyBytes }))
      const middleware = toExpressMiddleware(suite.service, suiteOptions(suite))
      app.use(traits.mountPath ?? '/', middleware)
      app.use((_request, response) => void response.status(404).type('text/plain').send(foreignBody))
      return app.use(answerError)
    },
    { ...traits, foreignBody },
  )
}

/** The fetch handler in a process of another runtime. */
function runtimeHost(runtime: 'bun' | 'deno', name: string, mountPath = ''): Host {
  return {
    name,
    isVariant: mountPath !== '',
    async start() {
      const script = new URL('fetch-server.ts', import.meta.url)
      const { process, origin } = await launchServer(scriptCommand(runtime, script, mountPath))
      const { keys } = httpSuiteService()
      return {
        subject: { baseUrl: origin + mountPath, keys },
        stop: async () => void (await process.kill()),
      }
    },
  }
}

export const hosts: readonly Host[] = [
  ...nodeHosts,
  // The middleware is the same for both versions of Express.
  expressHost('Express 4', express4, { isVariant: true }),
  expressHost('Express 4 behind express.json() under a prefix', express4, {
    mountPath: '/media',
    parsesBodies: true,
  }),
  expressHost('Express 5', express),
  expressHost('Express 5 behind express.json()', express, { parsesBodies: true }),
  expressHost('Express 5 under a prefix', express, { mountPath: '/any/prefix' }),
  hostInProcess('fetch on Node', (suite) => {
    const fetch = toFetchHandler(suite.service, suiteOptions(suite))
    return getRequestListener(fetch, { overrideGlobalObjects: false })
  }),
  runtimeHost('bun', 'fetch on Bun'),
  runtimeHost('deno', 'fetch on Deno'),
  runtimeHost('deno', 'fetch on Deno under a prefix', '/any/prefix'),
]
