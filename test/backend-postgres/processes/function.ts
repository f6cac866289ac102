/**
 * A function on a host that freezes it after each answer, with a pool of one connection. For each line of standard input it
 * creates a job, and prints what became of that and how long it took.
 */
import { createInterface } from 'node:readline'
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { createGenerationService } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { fakeProvider, quietLog } from '@genmount/testing'

const [, , url = '', schema = ''] = process.argv
const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 5000 })
pool.on('error', () => {})
const service = createGenerationService({
  providers: [fakeProvider()],
  backend: postgresBackend({ pool, schema }),
  plugins: [advance()],
  log: quietLog(),
})
await service.ready()
console.log('ready')
for await (const _ of createInterface({ input: process.stdin })) {
  const beganAt = performance.now()
  const outcome = await service
    .create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
    .then(() => 'created')
    .catch((error: Error) => error.message)
  await service.settled()
  console.log(JSON.stringify({ outcome, ms: performance.now() - beganAt }))
}
