import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, isFinished, type Job, type Provider } from '@genmount/core'
import { fakeModels, manualClock, quietLog } from '@genmount/testing'
import { temporaryFile } from './temporary-file.ts'

/**
 * What a process left in its file that was killed during steps of seven jobs. Its release inserted each job before
 * it claimed the job, wrote down each poll, and recorded outputs before the end. Made by running that release.
 */
const leftBehind = readFileSync(new URL('older-jobs.sql', import.meta.url), 'utf8')

/** An instant after the end of that process. */
const foundAt = 1_795_346_640_000

test('jobs that an older release has left in every phase are finished, and none is submitted again', async () => {
  const file = temporaryFile()
  const older = new DatabaseSync(file)
  older.exec(`PRAGMA journal_mode = WAL; ${leftBehind}`)
  const ids = older.prepare(`SELECT job ->> '$.input.prompt' AS name, id FROM jobs`).all()
  older.close()

  const submitted: unknown[] = []
  const output = { url: 'https://files.example.com/picture.png', contentType: 'image/png' }
  const provider: Provider = {
    name: 'fake',
    models: fakeModels,
    submit: async ({ input }) => {
      submitted.push(input['prompt'])
      return { state: 'succeeded', outputs: [output], costUsd: 0.01 }
    },
    poll: async () => ({ state: 'succeeded', outputs: [output], costUsd: 0.02 }),
  }
  const clock = manualClock(foundAt)
  const backend = sqliteBackend({ file, clock })
  const service = createGenerationService({ providers: [provider], backend, clock, log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  service.start()
  const readJobs = () => Promise.all(ids.map(({ id }) => backend.jobs.get(String(id))))
  while (!(await readJobs()).every((job) => job && isFinished(job))) await clock.advance(1000)

  const found = ids.map(async ({ name, id }) => [name, whatBecameOf(await backend.jobs.get(String(id)))])
  expect(Object.fromEntries(await Promise.all(found))).toEqual({
    waiting: 'completed',
    // Nothing in the file tells whether the provider has accepted the task.
    submitting: 'failed: submit_ambiguous',
    running: 'completed',
    polling: 'completed',
    // The bytes were only in the process that was killed, which had no spool.
    collecting: 'failed: output_invalid',
    completed: 'completed',
    failed: 'failed: content_policy',
  })
  expect(submitted).toEqual(['waiting'])
})

function whatBecameOf({ phase, error }: Partial<Job> = {}): string {
  return error ? `${phase}: ${error.code}` : `${phase}`
}
