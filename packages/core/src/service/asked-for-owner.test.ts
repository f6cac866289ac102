import { expect, test } from 'vitest'
import { fakeProvider, manualClock } from '@genmount/testing'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { createGenerationService } from './create-generation-service.ts'

test('the store is told who asks for a job, so that it need not read what is not theirs', async () => {
  const clock = manualClock()
  const backend = memoryBackend({ clock })
  const asked: unknown[] = []
  const service = createGenerationService({
    providers: [fakeProvider({ clock })],
    clock,
    backend: {
      ...backend,
      jobs: { ...backend.jobs, get: (...args) => (asked.push(args), backend.jobs.get(...args)) },
    },
    log: { warn() {}, error() {} },
  })
  await service.get('job-1', 'bob').catch(() => {})
  await service.waitFor('job-1', 'bob').catch(() => {})
  expect(asked).toEqual([
    ['job-1', 'bob'],
    ['job-1', 'bob'],
  ])
  await service.close()
})
