/**
 * Inserts jobs into the given file and finishes them, twenty at a time, for two seconds. Prints how many jobs have ended, what
 * went wrong, how many turns the event loop had, and the longest time for which it was busy.
 */
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'
import { longestBlockOf } from '../longest-block.ts'
import { turnsOf } from '../turns-of.ts'

const [, , file = '', name = ''] = process.argv
const { jobs, close } = sqliteBackend({ file })
await jobs.get('any')
const until = performance.now() + 2_000
const faults: string[] = []
let ended = 0

async function takeJob(id: string): Promise<void> {
  await jobs.insert(exampleJob({ id, task: { prompt: 'x'.repeat(5_000) } }))
  for (const [index, phase] of (['submitting', 'running', 'collecting', 'completed'] as const).entries()) {
    const job = await jobs.get(id)
    const outcome = await jobs.replace({ ...exampleJob({ id, phase }), revision: index + 2 }, index + 1)
    if (job?.revision !== index + 1 || outcome !== 'replaced') faults.push(`${id} is ${outcome}`)
  }
  await jobs.due(exampleJob().createdAt, 200)
  ended++
}

async function takeJobs(hand: number): Promise<void> {
  for (let number = 0; performance.now() < until; number++) {
    await takeJob(`${name}-${hand}-${number}`).catch((error: unknown) => faults.push(String(error)))
  }
}

const hands = Array.from({ length: 20 }, (_, hand) => hand)
let turns = 0
const longestBlock = await longestBlockOf(async () => {
  turns = await turnsOf(() => Promise.all(hands.map(takeJobs)))
})
await close()
console.log(JSON.stringify({ ended, faults: faults.slice(0, 10), turns, longestBlock }))
