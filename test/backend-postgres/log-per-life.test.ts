import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { postgresBackend } from '@genmount/backend-postgres'
import { benchProviders, benchService } from '../bench/bench-service.ts'
import { exampleInput, owner } from '../bench/workload.ts'
import { logEnd, logRecords } from '../postgres/log-records.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

const lives = 30

test('a job with one poll takes at most 4 kB of the log of Postgres in its life, and two of its three updates are HOT', async () => {
  const schema = newSchema()
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  const { providers } = benchProviders({ pollAfterMs: 1050, maxConcurrentJobs: 100, dedupesSubmits: true })
  let ended = 0
  const service = benchService({
    providers,
    backend: postgresBackend({ pool, schema }),
    onJobEnd: () => void ended++,
  })
  onTestFinished(async () => {
    await service.close()
    await pool.end()
  })
  await service.ready()
  const from = await logEnd(pool)
  for (let index = 0; index < lives; index++)
    await service.create({ owner, model: 'bench-video', input: exampleInput(index) })
  await expect.poll(() => ended, { timeout: 20_000 }).toBe(lives)
  const records = await logRecords(pool, schema, from, await logEnd(pool))
  const countOf = (kind: string) => records.find((each) => each.kind === kind)?.count
  expect(countOf('Heap/HOT_UPDATE jobs'), JSON.stringify(records)).toBe(2 * lives)
  expect(countOf('Heap/UPDATE jobs')).toBe(lives)
  const bytes = records.reduce((sum, each) => sum + each.bytes, 0) / lives
  expect(bytes, JSON.stringify(records)).toBeLessThan(4000)
})
