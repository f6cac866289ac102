import { createServer } from 'node:http'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { proceduralProvider } from '@genmount/provider-procedural'

const service = createGenerationService({ providers: [proceduralProvider()] })
const options = { authenticate: apiKeys({ alice: process.env.ALICE_KEY }) }

const server = createServer(toNodeHandler(service, options))
server.listen(process.env.PORT ?? 3000, () => console.log(server.address()))

process.once('SIGTERM', async () => {
  await service.close() // answers the requests that wait, and waits for submits, which cost money
  server.close()
})
