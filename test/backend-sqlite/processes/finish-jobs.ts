/** Finishes each job whose id it reads, and prints when that was on disk, in milliseconds since the Unix epoch. */
import { createInterface } from 'node:readline'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'

const [, , file = ''] = process.argv
const { jobs, close } = sqliteBackend({ file })
for await (const id of createInterface({ input: process.stdin })) {
  const job = await jobs.get(id)
  if (!job) throw new Error(`There is no job ${id}.`)
  const { createdAt, revision } = job
  await jobs.replace(exampleJob({ id, createdAt, revision: revision + 1, phase: 'completed' }), revision)
  console.log(Date.now())
}
await close()
