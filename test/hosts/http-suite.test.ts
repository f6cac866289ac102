import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { httpSuite, httpVerdicts, runtimeVerdict } from '@genmount/testing/http'
import { expressHosts } from './express-hosts.ts'
import { fetchHosts } from './fetch-hosts.ts'
import type { RunningHost } from './host.ts'
import { nodeHosts } from './node-hosts.ts'

vi.setConfig({ maxConcurrency: 16 })

const promises = Object.keys(httpSuite({ baseUrl: 'http://127.0.0.1', keys: { alice: '', bob: '' } }))
const verdictsOfHosts = new Map<string, ReadonlyMap<string, string>>()

test('the suite has at least eighty cases', () => {
  expect(promises.length).toBeGreaterThanOrEqual(80)
})

describe.each([...nodeHosts, ...expressHosts, ...fetchHosts])('$name', (host) => {
  let running: RunningHost
  let suite: ReturnType<typeof httpSuite>

  beforeAll(async () => {
    running = await host.start()
    suite = httpSuite(running.subject)
  })
  afterAll(() => running?.stop())

  test.concurrent.each(promises)('%s', (promise) => suite[promise]?.())

  test('odd requests are all answered, or refused by the runtime', async () => {
    verdictsOfHosts.set(host.name, await httpVerdicts(running.subject))
  })
})

test('odd requests get the same verdict on every host whose runtime lets them through', () => {
  const differing = new Map<string, Record<string, string>>()
  for (const request of [...verdictsOfHosts.values()][0]?.keys() ?? []) {
    const verdicts = [...verdictsOfHosts].map(([host, given]) => [host, given.get(request) ?? ''] as const)
    const ours = verdicts.filter(([, verdict]) => verdict !== runtimeVerdict)
    if (new Set(ours.map(([, verdict]) => verdict)).size > 1)
      differing.set(request, Object.fromEntries(verdicts))
  }
  expect(Object.fromEntries(differing)).toEqual({})
})
