import { createRequire } from 'node:module'
import { configure } from '@codegenie/serverless-express'
import express from 'express'
import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import serverlessHttp from 'serverless-http'
import { toExpressMiddleware } from '@genmount/express-middleware'
import { toFetchHandler } from '@genmount/fetch-handler'
import { toNodeHandler } from '@genmount/node-http'
import type { HttpSuiteService } from '@genmount/testing/http'
import { suiteOptions } from './suite-options.ts'
import type { LambdaAnswer } from './lambda-events.ts'

/** A function of AWS Lambda. */
export type LambdaHandler = (event: object, context: object) => Promise<LambdaAnswer>

/** A library that runs an app of a web framework as a function. */
export interface LambdaAdapter {
  readonly name: string
  handlerOf(suite: HttpSuiteService): LambdaHandler
}

const serverlessExpress4 = createRequire(import.meta.url)('serverless-express4') as typeof configure

function expressApp(suite: HttpSuiteService) {
  return express().use(toExpressMiddleware(suite.service, suiteOptions(suite)))
}

function withServerlessExpress(name: string, adapt: typeof configure, parse?: 'json'): LambdaAdapter {
  return {
    name,
    handlerOf(suite) {
      const app = parse
        ? express().use(express.json({ limit: suite.options.maxBodyBytes }), expressApp(suite))
        : expressApp(suite)
      const binarySettings = { isBinary: () => true }
      return adapt({ app, binarySettings, logSettings: { level: 'none' } }) as unknown as LambdaHandler
    },
  }
}

export const lambdaAdapters: readonly LambdaAdapter[] = [
  withServerlessExpress('serverless-express 5', configure),
  withServerlessExpress('serverless-express 5 behind express.json()', configure, 'json'),
  withServerlessExpress('serverless-express 4', serverlessExpress4),
  {
    name: 'serverless-http with Express',
    handlerOf: (suite) => serverlessHttp(expressApp(suite), { binary: true }) as LambdaHandler,
  },
  {
    name: 'serverless-http with node:http',
    handlerOf: (suite) =>
      serverlessHttp(toNodeHandler(suite.service, suiteOptions(suite)), { binary: true }) as LambdaHandler,
  },
  {
    name: 'hono/aws-lambda',
    handlerOf(suite) {
      const fetch = toFetchHandler(suite.service, suiteOptions(suite))
      const app = new Hono().all('/v1/*', (context) => fetch(context.req.raw))
      return handle(app) as unknown as LambdaHandler
    },
  },
]
