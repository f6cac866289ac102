/** Opens a backend, prints `ready`, and stays. */
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'

const [, , url = '', schema = ''] = process.argv
const { ready } = postgresBackend({ pool: new pg.Pool({ connectionString: url, max: 3 }), schema })
await ready?.()
console.log('ready')
setInterval(() => {}, 1000) // The backend alone does not keep its process.
