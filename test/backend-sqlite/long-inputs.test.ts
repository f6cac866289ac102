import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createGenerationService, type Job } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob, fakeProvider, manualClock } from '@genmount/testing'
import { temporaryFile } from './temporary-file.ts'
import { twoBackends } from './two-backends.ts'

/** About 1 MB of JSON. Each text in it is short enough to be shown whole to clients. */
const wide = { lines: Array.from({ length: 20_000 }, (_, index) => `${index}: ${'word '.repeat(8)}`) }
const wideLength = JSON.stringify(wide).length
const idempotency = { key: 'key', fingerprint: 'f' }

function wideJob(changes: Partial<Job> = {}): Job {
  return exampleJob({ input: wide, shownInput: wide, idempotency, ...changes })
}

function finished({ input: _task, ...job }: Job): Job {
  return { ...job, phase: 'completed', revision: job.revision + 1 }
}

test('a 1 MB input is written to the SQLite file once, although two backends take twenty steps of its job', async () => {
  const { jobs, jobsElsewhere, longestWriteOf, step, read } = twoBackends()
  const job = wideJob()
  await jobs.insert(job)
  let written = 0
  for (let polls = 1; polls <= 20; polls++) {
    // SQLite writes less of a row whose length stays the same.
    const changes = { handle: 'x'.repeat(polls) }
    written += await longestWriteOf(() => step('job-1', changes, polls % 2 ? jobs : jobsElsewhere))
  }
  written += await longestWriteOf(async () => {
    expect(await jobs.replace(finished(await read('job-1')), 21)).toBe('replaced')
  })
  expect(written).toBeLessThan(wideLength)
  for (const store of [jobs, jobsElsewhere]) expect((await read('job-1', store)).shownInput).toEqual(wide)
})

test('a job with a long input is read whole by id, owner, idempotency key and expiry', async () => {
  const { jobs, jobsElsewhere } = twoBackends()
  const job = wideJob()
  await jobs.insert(job)
  for (const store of [jobs, jobsElsewhere]) {
    expect(await store.get('job-1')).toEqual(job)
    expect(await store.get('job-1', job.owner)).toEqual(job)
    expect(await store.findByIdempotencyKey('key', job.createdAt)).toEqual(job)
    expect(await store.insert(wideJob({ id: 'twin' }))).toEqual({ outcome: 'duplicate', job })
  }
  await jobsElsewhere.replace(finished(job), 1)
  for (const store of [jobs, jobsElsewhere])
    expect(await store.expired(job.expiresAt, 10)).toEqual([finished(job)])
})

test('a long input is not read again for a caller who has it, in any process', async () => {
  const { file, jobs, jobsElsewhere, read, step } = twoBackends()
  const job = wideJob()
  await jobs.insert(job)
  const { input, shownInput } = await read('job-1', jobsElsewhere)
  expect(input).toBe(shownInput)
  await step('job-1')
  // From here on a read of these texts fails, because they are not JSON.
  const database = new DatabaseSync(file)
  database.exec(`UPDATE tasks SET task = '{'; UPDATE inputs SET input = '{'`)
  database.close()
  for (const store of [jobs, jobsElsewhere]) {
    expect((await store.get('job-1', undefined, { input: input!, shownInput }))?.shownInput).toBe(shownInput)
    await expect(store.get('job-1', undefined, { shownInput })).rejects.toThrow(SyntaxError)
  }
})

test('a long input is deleted from the SQLite file with its job, also when an earlier release deletes the job', async () => {
  const { file, jobs } = twoBackends()
  for (const id of ['deleted', 'deleted-by-the-earlier', 'kept'])
    await jobs.insert(exampleJob({ id, shownInput: wide }))
  await jobs.delete('deleted')
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  database.prepare('DELETE FROM jobs WHERE id = ?').run('deleted-by-the-earlier')
  expect(database.prepare('SELECT job_id FROM inputs').all()).toEqual([{ job_id: 'kept' }])
})

test('a long input of two jobs stays in the SQLite file when one of the jobs is deleted', async () => {
  const { jobs, jobsElsewhere, step, read } = twoBackends()
  for (const id of ['job-1', 'job-2']) await jobs.insert(exampleJob({ id, shownInput: wide }))
  await step('job-1')
  await jobs.delete('job-2')
  expect((await read('job-1', jobsElsewhere)).shownInput).toEqual(wide)
})

test('a job shows its long prompt while it runs, after a restart, and when it has completed', async () => {
  const clock = manualClock()
  const file = temporaryFile()
  const provider = fakeProvider({ clock, behave: () => ({ delayMs: 6_000 }) })
  const serve = () =>
    createGenerationService({ providers: [provider], backend: sqliteBackend({ file, clock }), clock })
  const input = { prompt: 'a fox '.repeat(5_000) }
  const before = serve()
  const { job } = await before.create({ owner: 'alice', model: 'fake-image', input })
  const shown = async (service: typeof before) => {
    const { phase, shownInput } = await service.get(job.id, 'alice')
    return { phase, prompt: shownInput['prompt'] }
  }
  await expect.poll(() => shown(before)).toEqual({ phase: 'running', prompt: input.prompt })
  await before.close()
  const after = serve()
  onTestFinished(async () => void (await after.close()))
  expect(await shown(after)).toEqual({ phase: 'running', prompt: input.prompt })
  const laterShown = () => clock.advance(1_000).then(() => shown(after))
  await expect.poll(laterShown).toEqual({ phase: 'completed', prompt: input.prompt })
})
