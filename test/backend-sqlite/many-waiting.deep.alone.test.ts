import { setTimeout as delay } from 'node:timers/promises'
import { createGenerationService } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob, fakeModels, quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { ownFigures } from '../attacks/server/own-figures.ts'
import { loopCpu } from '../attacks/server/own-proc.ts'
import { temporaryFile } from './temporary-file.ts'

const jobCount = 20_000
/** How long a turn of the event loop may take, in milliseconds. While other processes use the CPUs, every turn does more. */
const longestTurnMs = { idle: 50, busy: 200 }

test('20,000 jobs that wait for a provider in trouble do not block the event loop', async () => {
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
  await delay(6000)
  expect(submits).toBeLessThan(500)
  const isBusy = loopCpu().waitedMs - before.waitedMs > 0.2 * 6000
  expect(figures().loopDelayMs.max).toBeLessThan(isBusy ? longestTurnMs.busy : longestTurnMs.idle)
})
