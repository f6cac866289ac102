import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import { expressHosts } from '../hosts/express-hosts.ts'
import { fetchHosts } from '../hosts/fetch-hosts.ts'
import type { RunningHost } from '../hosts/host.ts'
import { nodeHosts } from '../hosts/node-hosts.ts'
import { clientSuite } from './client-suite.ts'

vi.setConfig({ maxConcurrency: 16, testTimeout: 60_000 })

/** A service that names another address than its own in its answers has its files there, where there is nothing. */
const hosts = [...nodeHosts, ...expressHosts, ...fetchHosts].filter(({ name }) => !/base URL/.test(name))

const promises = Object.keys(clientSuite({ baseUrl: 'http://127.0.0.1', key: '' }))

describe.each(hosts)('the client at $name', (host) => {
  let running: RunningHost
  let suite: ReturnType<typeof clientSuite>

  beforeAll(async () => {
    running = await host.start()
    const { baseUrl, keys } = running.subject
    suite = clientSuite({ baseUrl, key: keys.alice })
  })
  afterAll(() => running?.stop())

  test.concurrent.each(promises)('%s', (promise) => suite[promise]?.())
})
