import { getRequestListener } from '@hono/node-server'
import { test } from 'vitest'
import { toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'
import { type Fault, withFault } from './fault.ts'
import { suiteOptions } from './suite-options.ts'
import { bothSuites } from './test-hosts.ts'
import { listen } from '../loopback.ts'

/** The limit of `test/vitest.config.ts`. Most faults are noticed only after a time, such as the one in which a body must arrive. */
const atATime = 10

/** Serves the suite's service with the fault. */
async function serveWith(fault: Fault) {
  const suite = httpSuiteService()
  const { service, keys } = suite
  const faulty = { ...service, ...fault.service?.(service) }
  const handle = toFetchHandler(faulty, { ...suiteOptions(suite), ...fault.options })
  const fetch = withFault(handle, fault)
  const { origin, stop } = await listen(getRequestListener(fetch, { overrideGlobalObjects: false }))
  return {
    suite: bothSuites({ baseUrl: origin, keys }),
    async stop() {
      await service.close()
      await stop()
    },
  }
}

/** Declares a test for each of these faults: that the HTTP suite notices it. */
export function testBrokenServers(faults: Readonly<Record<string, Fault>>): void {
  const promises = [...new Set(Object.values(faults).flatMap(({ caughtBy }) => caughtBy))]

  test('a server without a fault passes every case of the HTTP suite by which a faulty server is caught', async () => {
    const { suite, stop } = await serveWith({ caughtBy: [] })
    // As many at the same time as below, because some of the cases time what they see.
    const remaining = [...promises]
    const runInTurn = async () => {
      for (let next = remaining.pop(); next !== undefined; next = remaining.pop()) await suite[next]!()
    }
    await Promise.all(Array.from({ length: atATime }, runInTurn))
    await stop()
  })

  // With the `expect` of the test: the global one would blame a failure on another test of those that run at the same time, too.
  test.concurrent.for(Object.entries(faults))(
    'each case of the HTTP suite that is made for it fails at a server that %s',
    async ([, fault], { expect }) => {
      const { suite, stop } = await serveWith(fault)
      for (const promise of fault.caughtBy) {
        expect(Object.keys(suite)).toContain(promise)
        await expect(suite[promise]?.(), promise).rejects.toThrow()
      }
      await stop()
    },
  )
}
