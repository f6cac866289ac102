/**
 * An app that books the end of each job once it hears of it. Creates three jobs, and is killed like by `kill -9` when it
 * hears of the end of the second one, before it has booked that. With `after` as its second argument it creates none, but
 * reads from the ledger what it has missed, as the README of core says. Prints what it books, a line for each job.
 */
import process from 'node:process'
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { type CostRequest, createGenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { kill } from '../service/kill-points.ts'

const [database = '', when = 'before', since = '0'] = process.argv.slice(2)
const book = (job: string, outcome: string, endedAt: number) => console.log(`${job} ${outcome} ${endedAt}`)
let ends = 0

const service = createGenerationService({
  providers: [
    fakeProvider({ behave: ({ input }) => ({ delayMs: Number(input['delay_ms']), costUsd: 0.4 }) }),
  ],
  backend: database.startsWith('postgres:')
    ? postgresBackend({ pool: new pg.Pool({ connectionString: database }), schema: 'ends' })
    : sqliteBackend({ file: database }),
  log: quietLog(),
  onTransition({ to, job }) {
    if (to !== 'completed') return
    if (++ends === 2) kill()
    book(job.id, to, job.completedAt ?? 0)
  },
})
await service.ready()
service.start()
// A service does not keep its process alive.
setInterval(() => {}, 60_000)

if (when === 'before') {
  // One job has ended before the process dies, one ends as it dies, and one is still with the provider then.
  for (const delayMs of [0, 1000, 600_000]) {
    const input = { prompt: 'a fox', delay_ms: delayMs }
    await service.create({ owner: 'alice', model: 'fake-image', input })
  }
} else {
  let after: CostRequest['after']
  do {
    const range = { from: Math.max(0, Number(since) - 60_000), to: Date.now() + 60_000 }
    const { entries, next } = await service.costs({ ...range, after, limit: 1 })
    for (const { job, outcome, endedAt } of entries) book(job, outcome, endedAt)
    after = next
  } while (after)
  console.log('read')
}
