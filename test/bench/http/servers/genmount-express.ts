import type { AddressInfo } from 'node:net'
import express from 'express'
import { apiKeys, toExpressMiddleware } from '@genmount/express-middleware'
import { announce } from './control.ts'
import { benchService } from './genmount-service.ts'
import { apiKey, host } from './workload.ts'

const { service, ids, openJobs } = await benchService()
const app = express()
app.disable('x-powered-by')
app.use(toExpressMiddleware(service, { authenticate: apiKeys({ alice: apiKey }) }))
const server = app.listen(0, host, () => announce((server.address() as AddressInfo).port, ids, openJobs))
