import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { proceduralProvider } from '@genmount/provider-procedural'

const service = createGenerationService({ providers: [proceduralProvider()] })
const authenticate = apiKeys({ alice: process.env.ALICE_KEY })

const server = Bun.serve({
  port: process.env.PORT ?? 3000,
  idleTimeout: 60, // seconds; above the wait budget of 55
  fetch: toFetchHandler(service, { authenticate }),
})
console.log(`Listening on ${server.url}`)

process.once('SIGTERM', async () => {
  await service.close() // answers the requests that wait
  await server.stop()
  process.exit()
})
