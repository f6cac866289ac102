import { describe, test } from 'vitest'
import { backendSuite, jobSignalsSuite, jobStoreSuite, manualClock, schedulerSuite } from '@genmount/testing'
import { fileBackend } from './file-backend.ts'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'

const suites = {
  'a backend in a file of libSQL': backendSuite(() => ({
    backend: fileBackend(temporaryFile()),
    unusable: () => fileBackend(import.meta.filename),
  })),
  'jobs in a file of libSQL': jobStoreSuite(() => {
    const { jobs, close } = fileBackend(temporaryFile())
    return { store: jobs, close }
  }),
  'wakes beside a file of libSQL': schedulerSuite(() => {
    const clock = manualClock()
    const { scheduler, close } = fileBackend(temporaryFile(), clock)
    return { scheduler, clock, close }
  }),
  'signals beside a file of libSQL': jobSignalsSuite(() => {
    const { signals, close } = fileBackend(temporaryFile())
    return { signals, close }
  }),
}

for (const [what, suite] of Object.entries(suites)) {
  describe(what, () => {
    for (const [name, run] of Object.entries(suite)) test(name, run)
  })
}
