/**
 * One invocation of a function whose jobs are in libSQL: of a cron, or of a request that creates a job. It prints a line when the
 * limit of its time begins, and a request then prints its answer. It ends when nothing is under way any more.
 */
import { createClient } from '@libsql/client/web'
import { libsqlBackend } from '@genmount/backend-libsql'
import { createGenerationService } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { fastClock, type FastClockOptions } from '../../deaths/service/fast-clock.ts'
import { taskProviders } from '../../serverless/task-providers.ts'

/** What an invocation is started with, in JSON. */
export interface Invocation {
  /** The URL of the database. */
  readonly database: string
  /** The URL of the vendor. */
  readonly vendor: string
  readonly clock: FastClockOptions
  /** The job to create. @default none: it is an invocation of the cron */
  readonly order?: object | undefined
  /** Whether the host has a `waitUntil`. */
  readonly hasWaitUntil: boolean
}

const { database, vendor, clock, order, hasWaitUntil } = JSON.parse(process.argv[2]!) as Invocation
// The host runs a function also while only timers of the service are left.
setInterval(() => {}, 1000)
const work: Promise<void>[] = []
const waitUntil = hasWaitUntil ? (promise: Promise<void>) => void work.push(promise) : undefined
const service = createGenerationService({
  providers: taskProviders(vendor),
  backend: libsqlBackend({ client: createClient({ url: database }), clock: fastClock(() => clock) }),
  keepOutputs: 'redirect',
  plugins: [advance({ waitUntil })],
})
await service.ready()
console.log('ready')
if (order) {
  const handle = toFetchHandler(service, { authenticate: apiKeys({ alice: 'key-of-alice' }) })
  const reply = await handle(
    new Request('https://functions.example.com/v1/generate', {
      method: 'POST',
      headers: { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' },
      body: JSON.stringify(order),
    }),
  )
  const { id } = (await reply.json()) as { readonly id?: string }
  console.log(JSON.stringify({ status: reply.status, id }))
} else await service.advance({ forMs: 40_000 })
await Promise.all(work)
await service.settled()
process.exit()
