import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { postgresBackend } from '@genmount/backend-postgres'
import { backendSuite, manualClock, schedulerSuite } from '@genmount/testing'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { suitesInTurn } from './suites-in-turn.ts'

let pool: pg.Pool
let closed: pg.Pool

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await databaseOfFile() })
  closed = new pg.Pool({ host: '127.0.0.1', port: 1 })
})
afterAll(() => pool.end())

const { jobs, signals } = suitesInTurn(() => pool, newSchema)

const suites = {
  'a backend in Postgres': backendSuite(() => ({
    backend: postgresBackend({ pool, schema: newSchema() }),
    unusable: () => postgresBackend({ pool: closed }),
  })),
  'jobs in Postgres': jobs,
  'wakes beside Postgres': schedulerSuite(() => {
    const clock = manualClock()
    const { scheduler, close } = postgresBackend({ pool: closed, clock })
    return { scheduler, clock, close }
  }),
  'signals beside Postgres': signals,
}

for (const [what, suite] of Object.entries(suites)) {
  describe(what, () => {
    for (const [name, run] of Object.entries(suite)) test(name, run)
  })
}
