/** Runs cases of the conformance suites on Postgres, for any runtime. */
import pg from 'pg'
import { printSuites } from '../../conformance/print-suites.ts'
import { suitesInTurn } from '../suites-in-turn.ts'

const [, , url = '', prefix = ''] = process.argv
const pool = new pg.Pool({ connectionString: url })
let count = 0
const { jobs, signals } = suitesInTurn(
  () => pool,
  () => `${prefix}_${count++}`,
)
await printSuites(jobs, signals)
await pool.end()
