import { createGenerationService, type Provider } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'

/** A server that keeps its jobs in memory and has one provider, which is an object of the app's own. */
export function minimalHandler(provider: Provider, key: string) {
  return toNodeHandler(createGenerationService({ providers: [provider] }), {
    authenticate: apiKeys({ alice: key }),
  })
}
