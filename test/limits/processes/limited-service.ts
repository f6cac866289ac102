/**
 * A service with limits, as one of several processes has it. For each line that it reads, it creates as many jobs at the
 * same time as the line asks for, `owner delayMs count`, or deletes a job, `delete owner id`. It prints the ids of the
 * jobs, or the codes with which they were refused, in one line. Each job costs 0.40 US dollars.
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

function answersTo([first = '', second = '', third = '1']: readonly string[]): Promise<string>[] {
  if (first === 'delete') return [service.delete(third, second).then(() => 'deleted', wordOf)]
  const input = { prompt: 'a fox', delay_ms: Number(second) }
  const create = () =>
    service.create({ owner: first, model: 'fake-image', input }).then(({ job }) => job.id, wordOf)
  return Array.from({ length: Number(third) }, create)
}

function wordOf(error: unknown): string {
  return error instanceof GenerationError ? error.code : String(error)
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log((await Promise.all(answersTo(line.split(' ')))).join(' '))
}
