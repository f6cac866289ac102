import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { proceduralProvider } from '@genmount/provider-procedural'

const service = createGenerationService({ providers: [proceduralProvider()] })
const authenticate = apiKeys({ alice: 'key-of-alice' })

await service.ready()

export default {
  hostname: '127.0.0.1',
  // Bun may cut a connection that is idle for longer, and a request with wait=true may be so for 55 s.
  idleTimeout: 60,
  fetch: toFetchHandler(service, { authenticate }),
}
