import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { proceduralProvider } from '@genmount/provider-procedural'

const service = createGenerationService({ providers: [proceduralProvider()] })
const authenticate = apiKeys({ alice: 'key-of-alice' })

await service.ready()

async function stop() {
  // A second signal ends the process at once. npm sends the first one twice.
  setTimeout(() => process.off('SIGTERM', stop).off('SIGINT', stop), 300).unref()
  // Answers to submits are paid for, so it waits for them. Meanwhile the server answers: 503 to creates, the job to reads,
  // and 202 to those who wait.
  await service.close()
  // The last answers are still on their way.
  setTimeout(() => process.exit(), 500)
}
process.on('SIGTERM', stop).on('SIGINT', stop)

export default { fetch: toFetchHandler(service, { authenticate }) }
