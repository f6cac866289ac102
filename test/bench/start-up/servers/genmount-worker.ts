import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { provider } from './idle-provider.ts'

const service = createGenerationService({ providers: [provider] })

export default { fetch: toFetchHandler(service, { authenticate: apiKeys({ alice: 'key' }) }) }
