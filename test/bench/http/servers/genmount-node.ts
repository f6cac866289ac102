import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { announce } from './control.ts'
import { benchService } from './genmount-service.ts'
import { apiKey, host } from './workload.ts'

const { service, ids, openJobs } = await benchService()
const server = createServer(toNodeHandler(service, { authenticate: apiKeys({ alice: apiKey }) }))
server.listen(0, host, () => announce((server.address() as AddressInfo).port, ids, openJobs))
