import { serve } from '@hono/node-server'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { announce } from './control.ts'
import { benchService } from './genmount-service.ts'
import { apiKey, host } from './workload.ts'

const { service, ids, openJobs } = await benchService()
const fetch = toFetchHandler(service, { authenticate: apiKeys({ alice: apiKey }) })
serve({ fetch, hostname: host, port: 0 }, ({ port }) => announce(port, ids, openJobs))
