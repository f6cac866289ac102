import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { errorCodes } from '@genmount/core'
import { httpExtensionSuite, httpSuite, httpVerdicts, runtimeVerdict } from '@genmount/testing/http'
import { expressHosts } from './express-hosts.ts'
import { fetchHosts } from './fetch-hosts.ts'
import type { RunningHost } from './host.ts'
import { nodeHosts } from './node-hosts.ts'

vi.setConfig({ maxConcurrency: 16 })

const nobody = { baseUrl: 'http://127.0.0.1', keys: { alice: '', bob: '' } }
const promises = Object.keys(httpSuite(nobody))
const extensionPromises = Object.keys(httpExtensionSuite(nobody))
const verdictsOfHosts = new Map<string, ReadonlyMap<string, string>>()

/** Whether the service may answer so: with a status that its code stands for, or without a body. */
function isAnswer(verdict: string): boolean {
  const [, status, code] = /^(\d+)(?: (\w+))?\b/.exec(verdict) ?? []
  if (code !== undefined && code in errorCodes)
    return errorCodes[code as keyof typeof errorCodes].status === Number(status) && Number(status) < 500
  return /^(200|202|204 [A-Z, ]+|401|404)$/.test(verdict)
}

test('the suite has at least eighty cases', () => {
  expect(promises.length).toBeGreaterThanOrEqual(80)
})

describe.each([...nodeHosts, ...expressHosts, ...fetchHosts])('$name', (host) => {
  let running: RunningHost
  let suite: ReturnType<typeof httpSuite>
  let extensionSuite: ReturnType<typeof httpExtensionSuite>

  beforeAll(async () => {
    running = await host.start()
    suite = httpSuite(running.subject)
    extensionSuite = httpExtensionSuite(running.subject)
  })
  afterAll(() => running?.stop())

  test.concurrent.each(promises)('%s', (promise) => suite[promise]?.())
  test.concurrent.each(extensionPromises)('beyond the base: %s', (promise) => extensionSuite[promise]?.())

  test('odd requests are all answered from the table of errors or well, but for the few that the runtime refuses', async () => {
    const verdicts = await httpVerdicts(running.subject)
    verdictsOfHosts.set(host.name, verdicts)
    const refused = [...verdicts].filter(([, verdict]) => verdict === runtimeVerdict)
    expect(refused.length).toBeLessThanOrEqual(host.name.includes('json()') ? 7 : 3)
    expect([...verdicts].filter(([, verdict]) => verdict !== runtimeVerdict && !isAnswer(verdict))).toEqual(
      [],
    )
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
