import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { errorCodes } from '@genmount/core'
import {
  httpExtensionSuite,
  httpSuite,
  type HttpSubject,
  httpVerdicts,
  runtimeVerdict,
} from '@genmount/testing/http'
import { expressHosts } from './express-hosts.ts'
import { fetchHosts } from './fetch-hosts.ts'
import type { RunningHost } from './host.ts'
import { nodeHosts } from './node-hosts.ts'

vi.setConfig({ maxConcurrency: 16 })

/** The cases of the base interface and of what goes beyond it. */
function bothSuites(subject: HttpSubject) {
  return { ...httpSuite(subject), ...httpExtensionSuite(subject) }
}

const nowhere = { baseUrl: 'http://127.0.0.1', keys: { alice: '', bob: '' } }
const promises = Object.keys(bothSuites(nowhere))
const verdictsOfHosts = new Map<string, ReadonlyMap<string, string>>()

/** Whether the answer is allowed: its status belongs to its error code, or it has no body. */
function isAnswer(verdict: string): boolean {
  const [, status, code] = /^(\d+)(?: (\w+))?\b/.exec(verdict) ?? []
  if (code !== undefined && code in errorCodes)
    return errorCodes[code as keyof typeof errorCodes].status === Number(status) && Number(status) < 500
  return /^(200|202|204 [A-Z, ]+|401|404)$/.test(verdict)
}

test('the suite has at least eighty cases', () => {
  expect(Object.keys(httpSuite(nowhere)).length).toBeGreaterThanOrEqual(80)
})

test('no case of the extensions has the name of a case of the base', () => {
  const extensions = Object.keys(httpExtensionSuite(nowhere)).length
  expect(promises.length).toBe(Object.keys(httpSuite(nowhere)).length + extensions)
})

describe.each([...nodeHosts, ...expressHosts, ...fetchHosts])('$name', (host) => {
  let running: RunningHost
  let suite: ReturnType<typeof bothSuites>

  beforeAll(async () => {
    running = await host.start()
    suite = bothSuites(running.subject)
  })
  afterAll(() => running?.stop())

  test.concurrent.each(promises)('%s', (promise) => suite[promise]?.())

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
