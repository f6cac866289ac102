import { test } from 'vitest'
import { suitesHoldOn } from '../conformance/suites-hold-on.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'

const script = new URL('processes/suites.ts', import.meta.url)

test.each(['deno', 'bun'] as const)(
  'postgresBackend passes the whole suites of jobs and signals on %s, thousands of jobs included',
  async (runtime) => suitesHoldOn(runtime, script, 'all', await databaseOfFile(), newSchema()),
)
