import { test } from 'vitest'
import { suitesHoldOn } from '../conformance/suites-hold-on.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'

const script = new URL('processes/suites.ts', import.meta.url)

test.concurrent.each(['deno', 'bun'] as const)(
  'postgresBackend passes the suites of jobs and signals on %s, and the process ends by itself',
  async (runtime) => suitesHoldOn(runtime, script, 'light', await databaseOfFile(), newSchema()),
)
