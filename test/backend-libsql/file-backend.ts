import { createClient } from '@libsql/client'
import { libsqlBackend } from '@genmount/backend-libsql'
import type { Backend, Clock } from '@genmount/core'

/** A backend in a file of libSQL. Its `close` also closes the client. */
export function fileBackend(file: string, clock?: Clock): Backend {
  const client = createClient({ url: `file:${file}` })
  const backend = libsqlBackend({ client, clock })
  return {
    ...backend,
    async close() {
      await backend.close()
      client.close()
    },
  }
}
