/** Runs the suites of the contracts on Postgres, for any runtime. Prints the cases that fail, and ends by itself. */
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { jobSignalsSuite, jobStoreSuite } from '@genmount/testing'

const [, , url = '', prefix = ''] = process.argv
const pool = new pg.Pool({ connectionString: url })
let count = 0
const backend = () => postgresBackend({ pool, schema: `${prefix}_${count++}` })
const suites = [
  jobStoreSuite(() => {
    const { jobs, close } = backend()
    return { store: jobs, close }
  }),
  jobSignalsSuite(() => {
    const { signals, close } = backend()
    return { signals, close }
  }),
]
const failing: string[] = []
let passed = 0
for (const suite of suites)
  for (const [name, run] of Object.entries(suite))
    await run().then(
      () => passed++,
      (error: unknown) => failing.push(`${name}: ${error}`),
    )
await pool.end()
console.log(JSON.stringify({ passed, failing }))
