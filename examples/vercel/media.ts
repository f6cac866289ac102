import { attachDatabasePool, waitUntil } from '@vercel/functions'
import { Pool } from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { createGenerationService } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { advanceHandler, apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { diskFiles } from '@genmount/files-disk'
import { s3Files } from '@genmount/files-s3'
import { guardedFetch } from '@genmount/guarded-fetch'
import { proceduralProvider } from '@genmount/provider-procedural'

const { env } = process

/** A bucket, because Vercel keeps no files. On a machine of one's own, a folder will do. */
function fileStore() {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region = 'us-east-1' } = env
  if (!bucket) return diskFiles({ folder: env.FILES_FOLDER ?? 'data/files' })
  const credentials = {
    accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
  }
  return s3Files({ bucket, region, credentials, fetch: guardedFetch, ...(endpoint && { endpoint }) })
}

function createMedia() {
  const pool = new Pool({
    connectionString: env.DATABASE_URL,
    max: 1,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 5000,
  })
  // Vercel then freezes an instance only after its idle connection has been closed.
  attachDatabasePool(pool)
  const service = createGenerationService({
    // It draws in this process, as slowly as an input with simulate_latency_ms asks for. Put your vendors here.
    providers: [proceduralProvider({ allowSimulation: true })],
    backend: postgresBackend({ pool }),
    files: fileStore(),
    plugins: [advance({ waitUntil })],
  })
  // A create waits for the database less than a second, which is too short for the first connection of an instance. If this
  // fails, the requests say so, and each of them tries again.
  const opened = service.ready().catch((error: unknown) => console.error(error))
  const onceOpen = (handler: (request: Request) => Promise<Response>) => async (request: Request) => {
    await opened
    return handler(request)
  }
  return {
    v1: onceOpen(toFetchHandler(service, { authenticate: apiKeys({ alice: env.ALICE_KEY }) })),
    cron: onceOpen(advanceHandler(service, { secret: env.CRON_SECRET, forMs: 40_000 })),
  }
}

const kept = globalThis as { media?: ReturnType<typeof createMedia> }

/**
 * The handlers. They are made at the first request, because `next build` loads this file without the variables. They are kept
 * in a global, because each route loads this file, and `next dev` loads it again after each change.
 */
export const media = () => (kept.media ??= createMedia())
