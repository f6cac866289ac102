import { createClient } from '@libsql/client/web'
import { libsqlBackend } from '@genmount/backend-libsql'
import type { Backend, Clock } from '@genmount/core'

/** A backend on an empty database of a `hranaServer`, by the client that needs fetch alone. Its `close` also closes the client. */
export function webBackend(origin: string, clock?: Clock): Backend {
  const client = createClient({ url: `${origin}/${crypto.randomUUID()}/` })
  const backend = libsqlBackend({ client, clock })
  return {
    ...backend,
    async close() {
      await backend.close()
      client.close()
    },
  }
}
