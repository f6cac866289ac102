import { jobSignalsSuite, jobStoreSuite } from '@genmount/testing'
import { test } from 'vitest'
import { lightOf, suitesHoldOn, titlesOf } from '../conformance/suites-hold-on.ts'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'

const script = new URL('processes/suites.ts', import.meta.url)
const titles = lightOf(titlesOf(jobStoreSuite, jobSignalsSuite))

test.concurrent.each(['deno', 'bun'] as const)(
  'postgresBackend passes the suites of jobs and signals on %s, and the process ends by itself',
  async (runtime) => suitesHoldOn(runtime, script, titles, await databaseOfFile(), newSchema()),
)
