import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { proceduralProvider } from '@genmount/provider-procedural'

const service = createGenerationService({ providers: [proceduralProvider()] })
const authenticate = apiKeys({ alice: 'key-of-alice' })

// Bun cuts a connection that is idle for 10 s, and a request with wait=true may be so for 55 s.
export default { idleTimeout: 60, fetch: toFetchHandler(service, { authenticate }) }
