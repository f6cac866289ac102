/**
 * Claims the jobs it is given by their ids, as the service does, and prints which process it is. Looks at what others have
 * left behind when it is told `look`, closes when it is told `close`, and stays otherwise.
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
