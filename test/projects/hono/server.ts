import type { Server } from 'node:http'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { proceduralProvider } from '@genmount/provider-procedural'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const service = createGenerationService({ providers: [proceduralProvider()] })
const authenticate = apiKeys({ alice: process.env.ALICE_KEY })
const media = toFetchHandler(service, { authenticate, mountPath: '/media' })

const app = new Hono()
app.all('/media/v1/*', (context) => media(context.req.raw))

const port = Number(process.env.PORT ?? 3000)
const server = serve({ fetch: app.fetch, port }, (address) => console.log(address)) as Server

process.once('SIGTERM', async () => {
  await service.close() // answers the requests that wait, and waits for submits, which cost money
  server.close()
  // The last answers get half a second to arrive. Then the connections that clients keep open are closed.
  setTimeout(() => server.closeAllConnections(), 500)
})
