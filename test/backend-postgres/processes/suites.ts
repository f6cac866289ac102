/** Runs cases of the conformance suites on Postgres, for any runtime. */
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { jobSignalsSuite, jobStoreSuite } from '@genmount/testing'
import { printSuites } from '../../conformance/print-suites.ts'

const [, , url = '', prefix = ''] = process.argv
const pool = new pg.Pool({ connectionString: url })
let count = 0
const backend = () => postgresBackend({ pool, schema: `${prefix}_${count++}` })
await printSuites(
  jobStoreSuite(() => {
    const { jobs, close } = backend()
    return { store: jobs, close }
  }),
  jobSignalsSuite(() => {
    const { signals, close } = backend()
    return { signals, close }
  }),
)
await pool.end()
