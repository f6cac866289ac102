import { setTimeout as delay } from 'node:timers/promises'
import { createGenerationService } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob, fakeModels, quietLog } from '@genmount/testing'
import { expect, onTestFinished } from 'vitest'
import { ownFigures } from '../attacks/server/own-figures.ts'
import { loopCpu } from '../attacks/server/own-proc.ts'
import { temporaryFile } from './temporary-file.ts'

/**
 * Serves a file with so many jobs that wait for a provider in trouble. Checks that few of them are submitted meanwhile.
 * @returns the longest turn of the event loop within `ms`, in milliseconds, and whether other processes used the CPUs
 */
export async function serveManyWaiting(jobCount: number, ms: number) {
  const backend = sqliteBackend({ file: temporaryFile() })
  const createdAt = Date.now()
  const waiting = Array.from({ length: jobCount }, (_, index) => {
    const owner = `owner ${index % 7}`
    const instants = { createdAt, updatedAt: createdAt, dueAt: createdAt, earliestAt: createdAt }
    return exampleJob({ ...instants, id: `gen_${index}`, owner, model: 'fake-image', phase: 'accepted' })
  })
  for (let from = 0; from < jobCount; from += 1000)
    await Promise.all(waiting.slice(from, from + 1000).map((job) => backend.jobs.insert(job)))

  let submits = 0
  const provider = {
    name: 'in trouble',
    models: fakeModels,
    async submit(): Promise<never> {
      submits++
      throw new Error('connect ECONNREFUSED', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })
    },
    poll: () => Promise.reject(new Error('There is no task.')),
  }
  const service = createGenerationService({ providers: [provider], backend, log: quietLog() })
  onTestFinished(async () => void (await service.close({ timeoutMs: 2000 })))
  service.start()
  // The file is opened and the code is compiled in the first second.
  await delay(1000)
  const { reset, now: figures, end } = ownFigures()
  onTestFinished(end)
  reset()
  const before = loopCpu()
  await delay(ms)
  expect(submits).toBeLessThan(500)
  const isBusy = loopCpu().waitedMs - before.waitedMs > 0.2 * ms
  return { longestTurn: figures().loopDelayMs.max, isBusy }
}
