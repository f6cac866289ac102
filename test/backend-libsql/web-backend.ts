import { createClient } from '@libsql/client/web'
import type { Backend, Clock } from '@genmount/core'
import { backendOf } from './owned-client.ts'

/** A backend on an empty database of a `hranaServer`, by the client that needs fetch alone. Its `close` also closes the client. */
export const webBackend = (origin: string, clock?: Clock): Backend =>
  backendOf(createClient({ url: `${origin}/${crypto.randomUUID()}/` }), clock)
