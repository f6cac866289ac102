import { createClient } from '@libsql/client'
import type { Backend, Clock } from '@genmount/core'
import { backendOf } from './owned-client.ts'

/** A backend in a file of libSQL. Its `close` also closes the client. */
export const fileBackend = (file: string, clock?: Clock): Backend =>
  backendOf(createClient({ url: `file:${file}` }), clock)
