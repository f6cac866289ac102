import { afterAll, beforeAll, test } from 'vitest'
import { suitesHoldOn } from '../conformance/suites-hold-on.ts'
import { type HranaServer, hranaServer } from './hrana-server.ts'

const script = new URL('processes/suites.ts', import.meta.url)
let server: HranaServer

beforeAll(async () => {
  server = await hranaServer()
})
afterAll(() => server.stop())

test.concurrent.each(['node', 'deno', 'bun'] as const)(
  'libsqlBackend passes the suites over fetch on %s, and the process ends by itself',
  async (runtime) => suitesHoldOn(runtime, script, 'light', server.origin),
)
