/**
 * An app that books the end of each job when the service reports it. It creates three jobs. When the service reports
 * the end of the second job, the app dies as if by `kill -9`, before it has booked that end. With `after` as its second
 * argument, the app creates no jobs, but reads the ends that it has missed from the ledger, as the README of core says.
 * It prints one line for each job that it books.
 */
import process from 'node:process'
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService } from '@genmount/core'
import { type CostRequest, usage } from '@genmount/core/usage'
import { fakeProvider, quietLog } from '@genmount/testing'
import { kill } from './kill-points.ts'

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
  plugins: [usage()],
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
  // The first job ends before the process dies, the second ends as the process dies, and the provider is still working
  // on the third.
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
