import type { RequestListener } from 'node:http'
import process from 'node:process'
import { memoryBackend } from '@genmount/core'
import { apiKeys } from '@genmount/v1-interface'
import { benchProviders, benchService, createJobs } from '../../bench-service.ts'
import { apiKey, exampleInput, readableBody } from '../../workload.ts'
import { announce, jobCount, pollAfterMs } from './serve.ts'
import { serveFetch } from './serve-fetch.ts'

/** genmount on the host that the argument names. Only the adapter of this host is loaded. */

const { providers, openTasks } = benchProviders({ pollAfterMs })
// Room for some 60,000 running jobs, the creates of a round: all are of one owner, who may hold half of the bytes.
// More finished jobs stay than the 40,000 that the hand-written servers keep.
const backend = memoryBackend({ maxJobs: 200_000, maxBytes: 192 * 1024 * 1024 })
const service = benchService({ providers, backend })
const { prompt } = readableBody
const ids = await createJobs(service, 'bench-at-once', jobCount, () => ({ ...exampleInput(), prompt }))
const options = { authenticate: apiKeys({ alice: apiKey }) }

async function listener(name: string): Promise<RequestListener> {
  if (name === 'node') return (await import('@genmount/node-http')).toNodeHandler(service, options)
  if (name === 'hono') {
    const { getRequestListener } = await import('@hono/node-server')
    const { toFetchHandler } = await import('@genmount/fetch-handler')
    return getRequestListener(toFetchHandler(service, options))
  }
  const { default: express } = await import('express')
  const { toExpressMiddleware } = await import('@genmount/express-middleware')
  return express().disable('x-powered-by').use(toExpressMiddleware(service, options))
}

async function start(name = ''): Promise<string> {
  if (name === 'fetch')
    return serveFetch((await import('@genmount/fetch-handler')).toFetchHandler(service, options))
  const { listen } = await import('../../../loopback.ts')
  return (await listen(await listener(name))).origin
}

announce(await start(process.argv[2]), ids, openTasks)
