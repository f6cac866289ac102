import { join } from 'node:path'
import { describe, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { backendSuite, jobSignalsSuite, jobStoreSuite, manualClock, schedulerSuite } from '@genmount/testing'
import { temporaryFile } from './temporary-file.ts'

const suites = {
  'a backend in a SQLite file': backendSuite(() => ({
    backend: sqliteBackend({ file: temporaryFile() }),
    unusable: () => sqliteBackend({ file: join(temporaryFile(), 'no-folder', 'jobs.db') }),
  })),
  'jobs in a SQLite file': jobStoreSuite(() => {
    const { jobs, close } = sqliteBackend({ file: temporaryFile() })
    return { store: jobs, close }
  }),
  'wakes beside a SQLite file': schedulerSuite(() => {
    const clock = manualClock()
    const { scheduler, close } = sqliteBackend({ file: temporaryFile(), clock })
    return { scheduler, clock, close }
  }),
  'signals beside a SQLite file': jobSignalsSuite(() => {
    const { signals, close } = sqliteBackend({ file: temporaryFile() })
    return { signals, close }
  }),
}

for (const [what, suite] of Object.entries(suites)) {
  describe(what, () => {
    for (const [name, run] of Object.entries(suite)) test(name, run)
  })
}
