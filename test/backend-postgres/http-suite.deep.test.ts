import { postgresBackend } from '@genmount/backend-postgres'
import pg from 'pg'
import { promisesWith, testHttpSuite } from '../conformance/test-http-suite.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'

async function open() {
  const pool = new pg.Pool({ connectionString: await databaseOfFile() })
  pool.on('error', () => {})
  return { options: { backend: postgresBackend({ pool }) }, close: () => pool.end() }
}

testHttpSuite('with jobs in Postgres', open, promisesWith())
