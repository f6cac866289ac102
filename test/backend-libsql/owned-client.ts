import { libsqlBackend, type LibsqlBackendOptions } from '@genmount/backend-libsql'
import type { Backend } from '@genmount/core'

/** A backend whose `close` also closes its client. */
export function backendOf(
  client: LibsqlBackendOptions['client'] & { close(): void },
  clock: LibsqlBackendOptions['clock'],
): Backend {
  const backend = libsqlBackend({ client, clock })
  return {
    ...backend,
    async close() {
      await backend.close()
      client.close()
    },
  }
}
