import { describe, test } from 'vitest'
import { memoryBackend, memorySignals, systemClock, timerScheduler } from '@genmount/core'
import { backendSuite, jobSignalsSuite, jobStoreSuite, manualClock, schedulerSuite } from '@genmount/testing'

const suites = {
  'a backend in memory': backendSuite(() => ({ backend: memoryBackend() })),
  'jobs in memory': jobStoreSuite(storeOf(), { createWithRoomFor: (maxJobs) => storeOf({ maxJobs })() }),
  'wakes by timers': schedulerSuite(() => {
    const clock = manualClock()
    return { scheduler: timerScheduler(clock), clock }
  }),
  'wakes by timers of the host': schedulerSuite(() => ({ scheduler: timerScheduler(systemClock()) })),
  'signals within a process': jobSignalsSuite(() => ({ signals: memorySignals() })),
}

function storeOf(bounds?: { readonly maxJobs: number }) {
  return () => {
    const backend = memoryBackend(bounds)
    return { store: backend.jobs, close: backend.close }
  }
}

for (const [what, suite] of Object.entries(suites)) {
  describe(what, () => {
    for (const [name, run] of Object.entries(suite)) test(name, run)
  })
}
