import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { proceduralProvider } from '@genmount/provider-procedural'

function createMedia() {
  const service = createGenerationService({ providers: [proceduralProvider()] })
  const authenticate = apiKeys({ alice: process.env.ALICE_KEY })
  return { service, fetch: toFetchHandler(service, { authenticate, mountPath: '/media' }) }
}

const kept = globalThis as { media?: ReturnType<typeof createMedia> }

/**
 * The service and its handler. They are made on the first call, because `next build` loads this file without the keys. They are
 * kept in a global, because `next dev` loads this file again after each change.
 */
export const media = () => (kept.media ??= createMedia())
