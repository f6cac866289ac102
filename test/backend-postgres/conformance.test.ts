import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { postgresBackend } from '@genmount/backend-postgres'
import { backendSuite, jobSignalsSuite, jobStoreSuite, manualClock, schedulerSuite } from '@genmount/testing'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'

let pool: pg.Pool
let closed: pg.Pool

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await databaseOfFile() })
  closed = new pg.Pool({ host: '127.0.0.1', port: 1 })
})
afterAll(() => pool.end())

const backend = () => postgresBackend({ pool, schema: newSchema() })

const suites = {
  'a backend in Postgres': backendSuite(() => ({
    backend: backend(),
    unusable: () => postgresBackend({ pool: closed }),
  })),
  'jobs in Postgres': jobStoreSuite(() => {
    const { jobs, close } = backend()
    return { store: jobs, close }
  }),
  'wakes beside Postgres': schedulerSuite(() => {
    const clock = manualClock()
    const { scheduler, close } = postgresBackend({ pool: closed, clock })
    return { scheduler, clock, close }
  }),
  'signals beside Postgres': jobSignalsSuite(() => {
    const { signals, close } = backend()
    return { signals, close }
  }),
}

for (const [what, suite] of Object.entries(suites)) {
  describe(what, () => {
    for (const [name, run] of Object.entries(suite)) test.concurrent(name, run)
  })
}
