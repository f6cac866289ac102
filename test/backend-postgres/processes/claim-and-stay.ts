/** Claims jobs by their ids, as the service does, and prints which process it is. Closes when it is told `close`. */
import { createInterface } from 'node:readline'
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { exampleJob } from '@genmount/testing'

const [, , url = '', schema = '', ...ids] = process.argv
const pool = new pg.Pool({ connectionString: url, max: 3 })
const { jobs, processes, clock, ready, close } = postgresBackend({ pool, schema })
await ready?.()
for (const id of ids) {
  const now = clock?.now() ?? 0
  await jobs.insert(exampleJob({ id, createdAt: now }))
  const claim = { claimedUntil: now + 30_000, claimToken: `${processes?.id}:${crypto.randomUUID()}` }
  await jobs.replace({ ...exampleJob({ id, createdAt: now, phase: 'submitting' }), ...claim, revision: 2 }, 1)
}
console.log(processes?.id)
for await (const command of createInterface({ input: process.stdin })) if (command === 'close') break
await close()
await pool.end()
console.log('closed')
process.exit()
