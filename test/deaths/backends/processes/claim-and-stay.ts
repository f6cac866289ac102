/**
 * Claims jobs by their ids, as the service does, and prints the id of its process. Then it goes on running. `look` makes it
 * print the jobs that ended processes have left behind, `has ended <id>` whether that process has, and `close` makes it end.
 */
import { createInterface } from 'node:readline'
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'

const [, , place = '', schema = '', ...ids] = process.argv
const pool = schema ? new pg.Pool({ connectionString: place, max: 3 }) : undefined
const backend = pool ? postgresBackend({ pool, schema }) : sqliteBackend({ file: place })
const { jobs, processes } = backend
await backend.ready?.()
for (const id of ids) {
  const now = backend.clock?.now() ?? Date.now()
  await jobs.insert(exampleJob({ id, createdAt: now }))
  const claim = { claim: { until: now + 30_000, token: `${processes?.id}:${crypto.randomUUID()}` } }
  await jobs.replace({ ...exampleJob({ id, createdAt: now, phase: 'submitting' }), ...claim, revision: 2 }, 1)
}
console.log(processes?.id)
for await (const command of createInterface({ input: process.stdin })) {
  if (command === 'look') console.log(JSON.stringify(await processes?.leftBehind(100)))
  if (command.startsWith('has ended')) console.log(await processes?.hasEnded(command.split(' ').at(-1) ?? ''))
  if (command === 'close') break
}
await backend.close()
await pool?.end()
console.log('closed')
process.exit()
