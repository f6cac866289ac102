import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { proceduralProvider } from '@genmount/provider-procedural'

const service = createGenerationService({ providers: [proceduralProvider()] })
const authenticate = apiKeys({ alice: 'key-of-alice' })

await service.ready()

export default { fetch: toFetchHandler(service, { authenticate }) }
