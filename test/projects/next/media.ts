import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { proceduralProvider } from '@genmount/provider-procedural'

function createMedia() {
  const service = createGenerationService({ providers: [proceduralProvider()] })
  const authenticate = apiKeys({ alice: process.env.ALICE_KEY })
  return { service, fetch: toFetchHandler(service, { authenticate, mountPath: '/media' }) }
}

const kept = globalThis as { media?: ReturnType<typeof createMedia> }

/** Made on the first call, since `next build` loads this file without keys; and kept, since `next dev` loads it again. */
export const media = () => (kept.media ??= createMedia())
