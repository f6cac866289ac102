import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { announce } from './control.ts'
import { benchService } from './genmount-service.ts'
import { serveFetch } from './serve-fetch.ts'
import { apiKey } from './workload.ts'

const { service, ids, openJobs } = await benchService()
serveFetch(toFetchHandler(service, { authenticate: apiKeys({ alice: apiKey }) }), (port) =>
  announce(port, ids, openJobs),
)
