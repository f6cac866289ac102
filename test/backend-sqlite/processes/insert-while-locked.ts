/**
 * Opens the file it is given, inserts a job once it is told to, and prints what came of it, how long that took, and for how
 * long the event loop stood still at most, in milliseconds.
 */
import { once } from 'node:events'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'

const [, , file = ''] = process.argv
const { jobs, close } = sqliteBackend({ file })
await jobs.get('any')
console.log('ready')
await once(process.stdin, 'data')

let longestBlock = 0
let lastTurn = performance.now()
const turns = setInterval(() => {
  longestBlock = Math.max(longestBlock, performance.now() - lastTurn)
  lastTurn = performance.now()
}, 5)
const startedAt = performance.now()
const outcome = await jobs.insert(exampleJob()).then(
  () => 'inserted',
  (error: Error) => error.message,
)
const took = performance.now() - startedAt
clearInterval(turns)
await close()
console.log(JSON.stringify({ outcome, took, longestBlock }))
process.exit()
