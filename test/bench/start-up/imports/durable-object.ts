import { durableObjectBackend, type ObjectStorage } from '@genmount/backend-cloudflare/durable-object'
import type { FileStore, Provider } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { createGenerationService } from '@genmount/core/service'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'

/** A service in a Durable Object, without the file store and the provider, which are the app's choice. */
export function objectHandlers(storage: ObjectStorage, provider: Provider, files: FileStore, key: string) {
  const backend = durableObjectBackend({ storage })
  const service = createGenerationService({ providers: [provider], backend, files, plugins: [advance()] })
  return {
    fetch: toFetchHandler(service, { authenticate: apiKeys({ alice: key }) }),
    alarm: () => backend.alarm(service),
  }
}
