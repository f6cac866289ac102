import express from 'express'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toExpressMiddleware } from '@genmount/express-middleware'
import { proceduralProvider } from '@genmount/provider-procedural'

const service = createGenerationService({ providers: [proceduralProvider()] })
const authenticate = apiKeys({ alice: process.env['ALICE_KEY'] ?? 'key-of-alice' })

await service.ready()

const app = express()
// Before express.json(), whose limit of 100 kB and error pages are not meant for media.
app.use('/media', toExpressMiddleware(service, { authenticate }))
app.use(express.json())
app.get('/', (_req, res) => void res.send('This app has pages of its own, and makes media under /media/v1.'))

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.log('Listening on', server.address())
})

async function stop() {
  // A second signal ends the process at once. npm sends the first one twice.
  setTimeout(() => process.off('SIGTERM', stop).off('SIGINT', stop), 300).unref()
  // Answers to submits are paid for, so it waits for them. Meanwhile the server answers: 503 to creates, the job to reads,
  // and 202 to those who wait.
  await service.close()
  // Downloads under way get seven seconds.
  setTimeout(() => process.exit(), 7000).unref()
  server.close()
}
process.on('SIGTERM', stop).on('SIGINT', stop)
