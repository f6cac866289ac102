import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { proceduralProvider } from '@genmount/provider-procedural'

const service = createGenerationService({ providers: [proceduralProvider()] })
const authenticate = apiKeys({ alice: Deno.env.get('ALICE_KEY') })

export default { fetch: toFetchHandler(service, { authenticate }) }

Deno.addSignalListener('SIGTERM', async () => {
  await service.close() // answers the requests that wait
  // The last answers get half a second to arrive. `deno serve` ends only by Deno.exit().
  setTimeout(() => Deno.exit(), 500)
})
