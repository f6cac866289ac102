import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { expect, test, vi } from 'vitest'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { httpExtensionSuite, httpSuite, httpSuiteService } from '@genmount/testing/http'
import { extensionFaults } from './extension-faults.ts'
import { faults as baseFaults, type Fault } from './faults.ts'
import { listFaults } from './list-faults.ts'
import { originOf, stopped } from '../loopback.ts'

vi.setConfig({ maxConcurrency: 8 })

/** Serves the suite's service with the fault. */
async function serveWith(fault: Fault) {
  const { service, options, keys } = httpSuiteService()
  const handler = toFetchHandler(fault.service?.(service) ?? service, {
    ...options,
    ...fault.options,
    authenticate: apiKeys(keys),
  })
  async function fetch(request: Request): Promise<Response> {
    const reply = await handler((await fault.request?.(request)) ?? request)
    return (await fault.reply?.(reply, request)) ?? reply
  }
  const server = serve({ fetch, hostname: '127.0.0.1', port: 0, overrideGlobalObjects: false })
  if (!server.listening) await once(server, 'listening')
  const subject = { baseUrl: originOf(server), keys }
  return {
    suite: { ...httpSuite(subject), ...httpExtensionSuite(subject) },
    async stop() {
      await service.close()
      if ('closeAllConnections' in server) await stopped(server)
    },
  }
}

const faults: Readonly<Record<string, Fault>> = { ...baseFaults, ...listFaults, ...extensionFaults }
const promises = [...new Set(Object.values(faults).flatMap(({ caughtBy }) => caughtBy))]

test.concurrent('a server without a fault keeps every promise that a broken one is caught by', async () => {
  const { suite, stop } = await serveWith({ caughtBy: [] })
  await Promise.all(promises.map((promise) => suite[promise]?.()))
  await stop()
})

test.concurrent.each(Object.entries(faults))(
  'a server that %s is caught by each case that says so',
  async (_, fault) => {
    const { suite, stop } = await serveWith(fault)
    for (const promise of fault.caughtBy) {
      expect(Object.keys(suite)).toContain(promise)
      await expect(suite[promise]?.(), promise).rejects.toThrow()
    }
    await stop()
  },
)
