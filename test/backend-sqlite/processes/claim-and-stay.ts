/**
 * Claims the jobs with the given ids, as the service does, and prints the id of its process. Then it goes on running. The line
 * `look` makes it print the jobs that ended processes have left behind, and `close` makes it end.
 */
import { createInterface } from 'node:readline'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'

const [, , file = '', ...ids] = process.argv
const { jobs, processes, close } = sqliteBackend({ file })
for (const id of ids) {
  const now = Date.now()
  await jobs.insert(exampleJob({ id, createdAt: now }))
  const claim = { claimedUntil: now + 30_000, claimToken: `${processes?.id}:${crypto.randomUUID()}` }
  await jobs.replace({ ...exampleJob({ id, createdAt: now, phase: 'submitting' }), ...claim, revision: 2 }, 1)
}
console.log(processes?.id)
for await (const command of createInterface({ input: process.stdin })) {
  if (command === 'look') console.log(JSON.stringify(await processes?.leftBehind(100)))
  if (command.startsWith('has ended')) console.log(await processes?.hasEnded(command.split(' ').at(-1) ?? ''))
  if (command === 'close') break
}
await close()
console.log('closed')
process.exit()
