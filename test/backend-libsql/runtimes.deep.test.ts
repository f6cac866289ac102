import { afterAll, beforeAll, test } from 'vitest'
import { suitesHoldOn } from '../conformance/suites-hold-on.ts'
import { type HranaServer, hranaServer } from './hrana-server.ts'

const script = new URL('processes/suites.ts', import.meta.url)
let server: HranaServer

beforeAll(async () => {
  server = await hranaServer()
})
afterAll(() => server.stop())

test.each(['deno', 'bun'] as const)(
  'libsqlBackend passes the whole suites over fetch on %s, thousands of jobs included',
  async (runtime) => suitesHoldOn(runtime, script, 'all', server.origin),
)
