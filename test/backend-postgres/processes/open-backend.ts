/** Opens a backend, prints `ready`, and stays. */
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'

const [, , url = '', schema = ''] = process.argv
const { ready, jobs } = postgresBackend({ pool: new pg.Pool({ connectionString: url, max: 3 }), schema })
await ready?.()
console.log('ready')
// As often as a service looks for due jobs. The backend alone does not keep its process.
setInterval(() => void jobs.due(Date.now(), 1).catch(() => {}), 500)
