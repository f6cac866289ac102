/**
 * A service with limits, as one of several processes has it. Creates a job for each line it reads, `owner delayMs`, and
 * prints the job's id, or the code with which the job was refused. Each job costs 0.40 US dollars.
 */
import { createInterface } from 'node:readline'
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, GenerationError, type OwnerLimits } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'

const { database, limits } = JSON.parse(process.argv[2] ?? '') as { database: string; limits: OwnerLimits }

const service = createGenerationService({
  providers: [
    fakeProvider({ behave: ({ input }) => ({ costUsd: 0.4, delayMs: Number(input['delay_ms']) }) }),
  ],
  backend: database.startsWith('postgres:')
    ? postgresBackend({ pool: new pg.Pool({ connectionString: database }), schema: 'limited' })
    : sqliteBackend({ file: database }),
  limits,
  log: quietLog(),
})
await service.ready()
service.start()
console.log('ready')

for await (const line of createInterface({ input: process.stdin })) {
  const [owner = '', delay] = line.split(' ')
  const input = { prompt: 'a fox', delay_ms: Number(delay) }
  const answer = await service.create({ owner, model: 'fake-image', input }).then(
    ({ job }) => job.id,
    (error: unknown) => (error instanceof GenerationError ? error.code : String(error)),
  )
  console.log(answer)
}
