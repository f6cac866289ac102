import { describe, test } from 'vitest'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'
import { heavy } from '../conformance/print-suites.ts'
import { suitesOfBackend } from '../conformance/suites-of-backend.ts'
import { fileBackend } from './file-backend.ts'

const suites = suitesOfBackend(
  (clock) => fileBackend(temporaryFile(), clock),
  // This file is no database.
  () => fileBackend(import.meta.filename),
)

// `test/workerd/d1.test.ts` runs the cases with thousands of jobs, on the same statements.
for (const [part, suite] of Object.entries(suites)) {
  describe(`the ${part} in a file of libSQL`, () => {
    for (const [name, run] of Object.entries(suite)) if (!heavy.test(name)) test(name, run)
  })
}
