import { createGenerationService } from '@genmount/core'
import { apiKeys, toExpressMiddleware } from '@genmount/express-middleware'
import { proceduralProvider } from '@genmount/provider-procedural'
import express from 'express'

const service = createGenerationService({ providers: [proceduralProvider()] })
const options = { authenticate: apiKeys({ alice: process.env.ALICE_KEY }) }

const app = express()
app.use('/media', toExpressMiddleware(service, options)) // before express.json()
app.use(express.json())

const server = app.listen(process.env.PORT ?? 3000, () => console.log(server.address()))

process.once('SIGTERM', async () => {
  await service.close() // answers the requests that wait, and waits for submits, which cost money
  server.close()
})
