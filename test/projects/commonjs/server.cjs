const { createServer } = require('node:http')
const { createGenerationService } = require('@genmount/core')
const { apiKeys, toNodeHandler } = require('@genmount/node-http')
const { proceduralProvider } = require('@genmount/provider-procedural')

const service = createGenerationService({ providers: [proceduralProvider()] })
const options = { authenticate: apiKeys({ alice: process.env.ALICE_KEY }) }

const server = createServer(toNodeHandler(service, options))
server.listen(process.env.PORT ?? 3000, () => console.log(server.address()))

process.once('SIGTERM', async () => {
  await service.close()
  server.close()
})
