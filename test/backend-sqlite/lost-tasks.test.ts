import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { temporaryFile } from './temporary-file.ts'

test('the log names a task whose handle SQLite can not record at first, and one whose job is later gone from the file', async () => {
  const file = temporaryFile()
  const backend = sqliteBackend({ file })
  await backend.jobs.get('gen_0')
  const other = new DatabaseSync(file)
  const log = quietLog()
  const fake = fakeProvider({ behave: [{ delayMs: 60_000, pollAfterMs: 300 }] })
  const submit: typeof fake.submit = async (...task) => {
    const report = await fake.submit(...task)
    other.exec('BEGIN IMMEDIATE')
    return report
  }
  const service = createGenerationService({ providers: [{ ...fake, submit }], backend, log })
  onTestFinished(async () => {
    other.close()
    await service.close()
  })
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  const line = (what: string) =>
    expect.stringMatching(new RegExp(`^Job ${job.id} .*task {"fakeTask":1}\\) ${what}`))
  await expect.poll(() => log.warnings).toContainEqual(line('is at its provider'))
  other.exec('COMMIT')
  await expect.poll(() => service.get(job.id, 'alice')).toMatchObject({ phase: 'running' })
  other.exec('DELETE FROM jobs')
  await expect.poll(() => log.errors).toContainEqual(line('is no longer in the job store'))
})
