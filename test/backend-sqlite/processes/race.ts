/**
 * Opens the file it is given when it is told to go on, with whatever other processes do the same. Prints how its inserts
 * with one idempotency key went, then how its writes over one revision of the job that holds the key went.
 */
import { once } from 'node:events'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'

const [, , file = '', name = ''] = process.argv
const { jobs, close } = sqliteBackend({ file })
const tries = Array.from({ length: 25 }, (_, index) => index)
const idempotency = { key: 'one key', fingerprint: 'f' }

console.log('ready')
await once(process.stdin, 'data')
const inserts = await Promise.all(
  tries.map((index) => jobs.insert(exampleJob({ id: `${name}-${index}`, idempotency }))),
)
console.log(JSON.stringify(inserts.map((insert) => insert.outcome)))

await once(process.stdin, 'data')
const holder = await jobs.findByIdempotencyKey(idempotency.key, exampleJob().createdAt)
if (!holder) throw new Error('Nobody holds the key.')
const writes = tries.map((index) =>
  jobs.replace({ ...holder, clientToken: `${name}-${index}`, revision: 2 }, 1),
)
console.log(JSON.stringify(await Promise.all(writes)))
await close()
process.exit()
