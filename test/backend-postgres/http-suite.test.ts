import { postgresBackend } from '@genmount/backend-postgres'
import pg from 'pg'
import { promisesWith, testHttpSuite } from '../conformance/test-http-suite.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'

async function open() {
  const pool = new pg.Pool({ connectionString: await databaseOfFile() })
  pool.on('error', () => {})
  return { options: { backend: postgresBackend({ pool }) }, close: () => pool.end() }
}

// What does not concern jobs is the same with any store. The deep suite tests it with Postgres nevertheless.
const aboutJobs = /\b(job|jobs|create|created|wait|idempotency|expired|key is free)\b/i
testHttpSuite(
  'with jobs in Postgres',
  open,
  promisesWith().filter((promise) => aboutJobs.test(promise)),
)
