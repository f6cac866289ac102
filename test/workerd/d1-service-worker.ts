import { waitUntil } from 'cloudflare:workers'
import { type D1, d1Backend } from '@genmount/backend-cloudflare/d1'
import { createGenerationService } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { fakeProvider } from '@genmount/testing'

interface Env {
  readonly JOBS: D1
  /** Whether jobs go on after the answer to their create, and not by the cron alone. */
  readonly GOES_ON: boolean
}

let batches = 0

/** The database of the worker, which counts the batches. */
const counted = (database: D1): D1 => ({
  prepare: (sql) => database.prepare(sql),
  batch(statements) {
    batches++
    return database.batch(statements)
  },
})

function makeService({ JOBS, GOES_ON }: Env) {
  const service = createGenerationService({
    providers: [fakeProvider({ behave: () => ({ delayMs: 1500 }) })],
    plugins: [advance(GOES_ON ? { waitUntil } : {})],
    backend: d1Backend({ database: counted(JOBS) }),
  })
  return { service, handle: toFetchHandler(service, { authenticate: apiKeys({ alice: 'key-of-alice' }) }) }
}

let made: ReturnType<typeof makeService> | undefined

export default {
  fetch(request: Request, env: Env): Promise<Response> | Response {
    if (new URL(request.url).pathname === '/batches') return new Response(String(batches))
    return (made ??= makeService(env)).handle(request)
  },
  scheduled: (_event: unknown, env: Env) => (made ??= makeService(env)).service.advance(),
}
