import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob, fakeProvider } from '@genmount/testing'
import { patientClock } from '../patient-clock.ts'
import { longestBlockOf, turnsOf } from './event-loop.ts'
import { startTask } from './start-script.ts'
import { temporaryFile } from './temporary-file.ts'

/** A backend on a file that is ready, and another connection that can lock it. */
async function setUp(onFinished = onTestFinished) {
  const file = temporaryFile(onFinished)
  const backend = sqliteBackend({ file })
  await backend.jobs.get('job-1')
  const other = new DatabaseSync(file)
  onFinished(async () => {
    other.close()
    await backend.close()
  })
  return { file, backend, other }
}

const fifty = Array.from({ length: 50 }, (_, index) => exampleJob({ id: `job-${index}` }))

test('while another connection holds the lock of the SQLite file, fifty writes fail together after 0.8 s and the event loop keeps running', async () => {
  const { backend, other } = await setUp()
  other.exec('BEGIN IMMEDIATE')
  const startedAt = performance.now()
  const turns = await turnsOf(async () => {
    const outcomes = await Promise.allSettled(fifty.map((job) => backend.jobs.insert(job)))
    expect(outcomes.map(({ status }) => status)).toEqual(fifty.map(() => 'rejected'))
  })
  // If the inserts waited one after another, they would take 40 s.
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  // An idle machine counts about 500 turns. If SQLite itself waited for the lock, there would be fewer than ten.
  expect(turns).toBeGreaterThan(40)
  expect(await backend.jobs.get('job-0')).toBeUndefined()

  other.exec('COMMIT')
  for (const job of fifty) expect(await backend.jobs.insert(job)).toEqual({ outcome: 'inserted' })
})

test.each(['node', 'deno', 'bun'] as const)(
  'on %s, a write fails within a second while another connection holds the lock, and the event loop keeps running',
  async (runtime) => {
    const { file, other } = await setUp()
    const { line, ask } = startTask('insert while locked', [file], { runtime })
    expect(await line()).toBe('ready')
    other.exec('BEGIN IMMEDIATE')
    const { outcome, took, longestBlock } = JSON.parse(await ask('go'))
    expect(outcome).toBe('database is locked')
    expect(took).toBeLessThan(10_000)
    expect(longestBlock).toBeLessThan(700)
  },
)

test.concurrent('a lock of the SQLite file that is held for 200 ms delays writes and does not fail them', async ({
  onTestFinished,
}) => {
  const { backend, other } = await setUp(onTestFinished)
  other.exec('BEGIN IMMEDIATE')
  const inserts = fifty.map((job) => backend.jobs.insert(job))
  setTimeout(() => other.exec('COMMIT'), 200)
  expect(await Promise.all(inserts)).toEqual(fifty.map(() => ({ outcome: 'inserted' })))
})

test.concurrent('a SQLite file that is locked at its first use can be used once the lock is gone', async ({
  expect,
  onTestFinished,
}) => {
  const { file, other } = await setUp(onTestFinished)
  const late = sqliteBackend({ file })
  other.exec('BEGIN IMMEDIATE')
  await expect(late.jobs.get('job-1')).rejects.toThrow(`${file} can't be used: database is locked`)
  other.exec('COMMIT')
  expect(await late.jobs.get('job-1')).toBeUndefined()
  await late.close()
})

test.concurrent('a backend that opens its file waits for two seconds for a lock that another process holds', async ({
  onTestFinished,
}) => {
  const { file, other } = await setUp(onTestFinished)
  const late = sqliteBackend({ file })
  onTestFinished(late.close)
  other.exec('BEGIN IMMEDIATE')
  setTimeout(() => other.exec('COMMIT'), 2000)
  expect(await late.jobs.get('job-1')).toBeUndefined()
})

test.concurrent('while the SQLite file is locked, a create fails with store_unavailable and costs nothing, and the next create succeeds', async ({
  expect,
  onTestFinished,
}) => {
  const { backend, other } = await setUp(onTestFinished)
  const provider = fakeProvider()
  // The service itself would give up after 0.9 s, and the backend does after 0.8 s, or later on a busy machine.
  const service = createGenerationService({ providers: [provider], backend, clock: patientClock() })
  onTestFinished(async () => void (await service.close()))
  const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
  other.exec('BEGIN IMMEDIATE')
  await expect(service.create(request)).rejects.toMatchObject({
    code: 'store_unavailable',
    cause: { message: 'database is locked' },
  })
  expect(provider.ledger).toEqual([])
  other.exec('COMMIT')
  const { job } = await service.create(request)
  expect(await service.get(job.id, 'alice')).toMatchObject({ id: job.id })
})

test('a thousand inserts at the same moment block the event loop for less than 200 ms', async () => {
  const { backend } = await setUp()
  const jobs = Array.from({ length: 1_000 }, (_, index) => exampleJob({ id: `job-${index}` }))
  expect(await longestBlockOf(() => Promise.all(jobs.map((job) => backend.jobs.insert(job))))).toBeLessThan(
    200,
  )
  expect(await backend.jobs.due(exampleJob().createdAt, 2_000)).toHaveLength(1_000)
})
