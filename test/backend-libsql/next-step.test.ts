import { expect, onTestFinished, test } from 'vitest'
import { createGenerationService, type Job } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { exampleJob, fakeProvider } from '@genmount/testing'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'
import { fileBackend } from './file-backend.ts'

/** What `service.advance` says after a function has ended in the middle of a step of a job, and left other jobs behind. */
async function advanceAfterDeath(now: number, ...others: readonly Partial<Job>[]) {
  const backend = fileBackend(temporaryFile())
  const service = createGenerationService({ providers: [fakeProvider()], backend, plugins: [advance()] })
  onTestFinished(async () => void (await service.close()))
  const claim = { token: 'claim-of-the-dead', until: now + 30_000 }
  for (const [index, job] of [{ dueAt: now - 5000, claim }, ...others].entries())
    await backend.jobs.insert(exampleJob({ id: `job-${index}`, phase: 'running', createdAt: now, ...job }))
  return service.advance({ forMs: 5000 })
}

test('service.advance says when the next step is due although a job that was due earlier is claimed for longer', async () => {
  const now = Date.now()
  expect(await advanceAfterDeath(now, { dueAt: now + 20_000 })).toEqual({ steps: 0, nextAt: now + 20_000 })
})

test('service.advance does not say that a job of which it can take no step is due at once, beside a job that was due earlier and is claimed', async () => {
  const now = Date.now()
  const { nextAt } = await advanceAfterDeath(now, { dueAt: now, model: 'gone', provider: 'gone' })
  expect(nextAt).toBeGreaterThan(now + 4000)
  expect(nextAt).toBeLessThan(now + 15_000)
})
