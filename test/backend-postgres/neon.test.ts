import { neonConfig, Pool } from '@neondatabase/serverless'
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'
import { postgresBackend } from '@genmount/backend-postgres'
import { backendSuite } from '@genmount/testing'
import { startWebSocketProxy } from '../postgres/start-websocket-proxy.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { until } from '../until.ts'
import { suitesInTurn } from './suites-in-turn.ts'
import { locksOf, nodeOn } from './two-nodes.ts'

let url: string
let pool: Pool

beforeAll(async () => {
  url = await databaseOfFile()
  neonConfig.wsProxy = await startWebSocketProxy(afterAll)
  neonConfig.useSecureWebSocket = false
  neonConfig.pipelineTLS = false
  // The servers of tests ask for a password by SCRAM, which takes round trips.
  neonConfig.pipelineConnect = false
  pool = new Pool({ connectionString: url, max: 1 })
})
afterAll(() => pool.end())

describe('over one WebSocket of Neon’s driver', () => {
  const { jobs, signals } = suitesInTurn(() => pool, newSchema)
  const suites = {
    'a backend in Postgres': backendSuite(() => ({
      backend: postgresBackend({ pool, schema: newSchema() }),
      unusable: () => postgresBackend({ pool: new Pool({ host: '127.0.0.1', port: 1, max: 1 }) }),
    })),
    'jobs in Postgres': jobs,
    'signals beside Postgres': signals,
  }
  for (const [what, suite] of Object.entries(suites))
    describe(what, () => {
      for (const [name, run] of Object.entries(suite)) test(name, run)
    })
})

test('with several WebSockets of Neon’s driver, a node holds its lock and hears of the jobs of other nodes', async () => {
  const wide = new Pool({ connectionString: url, max: 3 })
  const schema = newSchema()
  const here = postgresBackend({ pool: wide, schema })
  const there = nodeOn(url, schema)
  onTestFinished(async () => {
    await here.close()
    await wide.end()
  })
  await here.ready?.()
  await there.backend.ready?.()
  await until(async () => (await locksOf(there.pool, schema)) === 2)
})
