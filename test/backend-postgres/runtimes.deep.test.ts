import { jobSignalsSuite, jobStoreSuite } from '@genmount/testing'
import { test } from 'vitest'
import { suitesHoldOn, titlesOf } from '../conformance/suites-hold-on.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'

const script = new URL('processes/suites.ts', import.meta.url)
const titles = titlesOf(jobStoreSuite, jobSignalsSuite)

test.each(['deno', 'bun'] as const)(
  'postgresBackend passes the whole suites of jobs and signals on %s, thousands of jobs included',
  async (runtime) => suitesHoldOn(runtime, script, titles, await databaseOfFile(), newSchema()),
)
