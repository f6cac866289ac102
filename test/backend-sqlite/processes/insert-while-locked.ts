/**
 * Opens the given file, waits for a line of input, and inserts a job. Prints the outcome, how long the insert took, and the
 * longest time for which the event loop stood still, in milliseconds.
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
