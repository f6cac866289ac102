import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { memoryBackend } from '@genmount/core'
import { apiKeys } from '@genmount/v1-interface'
import { benchProviders, benchService, createJobs } from '../../bench-service.ts'
import { apiKey, exampleInput, host, readableBody } from '../../workload.ts'
import { announce, jobCount, pollAfterMs } from './announce.ts'

/** genmount on the host that the argument names. Only the adapter of this host is loaded. */

const { providers, openTasks } = benchProviders({ pollAfterMs })
// Room for some 60,000 running jobs, the creates of a round: all are of one owner, who may hold half of the bytes.
// More finished jobs stay than the 40,000 that the hand-written servers keep.
const backend = memoryBackend({ maxJobs: 200_000, maxBytes: 192 * 1024 * 1024 })
const service = benchService({ providers, backend })
const { prompt } = readableBody
const ids = await createJobs(service, 'bench-at-once', jobCount, () => ({ ...exampleInput(), prompt }))
const options = { authenticate: apiKeys({ alice: apiKey }) }
const listens = (port: number) => announce(port, ids, openTasks)

switch (process.argv[2]) {
  case 'node': {
    const { toNodeHandler } = await import('@genmount/node-http')
    const server = createServer(toNodeHandler(service, options))
    server.listen(0, host, () => listens((server.address() as AddressInfo).port))
    break
  }
  case 'express': {
    const { default: express } = await import('express')
    const { toExpressMiddleware } = await import('@genmount/express-middleware')
    const app = express()
    app.disable('x-powered-by')
    app.use(toExpressMiddleware(service, options))
    const server = app.listen(0, host, () => listens((server.address() as AddressInfo).port))
    break
  }
  case 'hono': {
    const { serve } = await import('@hono/node-server')
    const { toFetchHandler } = await import('@genmount/fetch-handler')
    serve({ fetch: toFetchHandler(service, options), hostname: host, port: 0 }, ({ port }) => listens(port))
    break
  }
  default: {
    const { toFetchHandler } = await import('@genmount/fetch-handler')
    const { serveFetch } = await import('./serve-fetch.ts')
    serveFetch(toFetchHandler(service, options), listens)
  }
}
