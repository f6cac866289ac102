/**
 * Waits for a line of input and then opens the given file, at the same time as other processes. Prints the outcomes of its
 * inserts with one idempotency key, and then the outcomes of its writes over one revision of the job with that key.
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
