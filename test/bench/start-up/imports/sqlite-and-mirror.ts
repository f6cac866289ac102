import { sqliteBackend } from '@genmount/backend-sqlite'
import type { Provider } from '@genmount/core'
import { createGenerationService } from '@genmount/core/service'
import { diskFiles } from '@genmount/files-disk'
import { apiKeys, toNodeHandler } from '@genmount/node-http'

/** A server that keeps its jobs in a SQLite file, and copies the outputs of its provider into a folder. */
export function durableHandler(provider: Provider, key: string) {
  const service = createGenerationService({
    providers: [provider],
    backend: sqliteBackend({ file: 'data/jobs.db' }),
    files: diskFiles({ folder: 'data/outputs' }),
    keepOutputs: 'mirror',
  })
  return toNodeHandler(service, { authenticate: apiKeys({ alice: key }) })
}
