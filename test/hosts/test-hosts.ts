import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCodes } from '@genmount/core'
import {
  httpExtensionSuite,
  httpSuite,
  type HttpSubject,
  httpVerdicts,
  runtimeVerdict,
} from '@genmount/testing/http'
import { bodyCases } from '../../packages/testing/src/http-suite/body-cases.ts'
import { bodyStreamCases } from '../../packages/testing/src/http-suite/body-stream-cases.ts'
import { fileCases } from '../../packages/testing/src/http-suite/file-cases.ts'
import { methodCases } from '../../packages/testing/src/http-suite/method-cases.ts'
import { pageCases } from '../../packages/testing/src/http-suite/page-cases.ts'
import { pathCases } from '../../packages/testing/src/http-suite/path-cases.ts'
import { uploadCases } from '../../packages/testing/src/http-suite/upload-cases.ts'
import type { Host, RunningHost } from './hosts.ts'

/** The cases of the base interface and of what goes beyond it. */
export function bothSuites(subject: HttpSubject) {
  return { ...httpSuite(subject), ...httpExtensionSuite(subject) }
}

export const nowhere = { baseUrl: 'http://127.0.0.1', keys: { alice: '', bob: '' } }

export const everyCase: readonly string[] = Object.keys(bothSuites(nowhere))

const groupsAboutPathsAndBodies = [
  pathCases,
  methodCases,
  pageCases,
  fileCases,
  bodyCases,
  bodyStreamCases,
  uploadCases,
]

/** The cases whose answers depend on where a service is mounted, on its URL, and on who parses the bodies. */
export const casesAboutPathsAndBodies: readonly string[] = [
  ...groupsAboutPathsAndBodies.flatMap((group) => Object.keys(group)),
  'each output has its URL: the first without n, the others with n from 1',
  'urls.get is the address of the job',
  'a created job has its address in location and says when to come back',
  'wait=true answers 200 with the finished job, on every create endpoint',
  'without a key, nothing of the request is looked at: 401 for any body, type, size and query',
  '401 arrives though the body never does',
  'the same key and body give the same job, and the answer says so',
  'the body of a cancel does not matter',
  'an output is read without a key: bytes, type, length, and nothing for a browser to guess',
  'a token that was tampered with opens nothing and looks like any unknown one',
  'forwarding headers of strangers change no URL',
  'a Host header that is no host name, or comes twice, never becomes part of a URL',
  'the OpenAPI document is of version 3.1 and names the address of this server',
]

/** Whether the answer is allowed: its status belongs to its error code, or it has no body. */
function isAnswer(verdict: string): boolean {
  const [, status, code] = /^(\d+)(?: (\w+))?\b/.exec(verdict) ?? []
  if (code !== undefined && code in errorCodes)
    return errorCodes[code as keyof typeof errorCodes].status === Number(status) && Number(status) < 500
  return /^(200|202|204 [A-Z, ]+|401|404)$/.test(verdict)
}

/** Declares a test for each case at each host. All hosts are tested at the same time, because many cases wait. */
export function testHosts(hosts: readonly Host[], casesOf: (host: Host) => readonly string[]): void {
  const verdictsOfHosts = new Map<string, ReadonlyMap<string, string>>()

  describe.concurrent.each(hosts)('$name', (host) => {
    let running: RunningHost
    let suite: ReturnType<typeof bothSuites>

    beforeAll(async () => {
      running = await host.start()
      suite = bothSuites(running.subject)
    })
    afterAll(() => running?.stop())

    test.each(casesOf(host))('%s', (promise) => suite[promise]!())

    test('the service answers odd requests well or with an error of the table, except the few that the runtime refuses', async () => {
      const verdicts = await httpVerdicts(running.subject)
      verdictsOfHosts.set(host.name, verdicts)
      const refused = [...verdicts].filter(([, verdict]) => verdict === runtimeVerdict)
      expect(refused.length).toBeLessThanOrEqual(host.name.includes('json()') ? 7 : 3)
      expect([...verdicts].filter(([, verdict]) => verdict !== runtimeVerdict && !isAnswer(verdict))).toEqual(
        [],
      )
    })
  })

  test('all hosts whose runtime lets an odd request through answer it alike', () => {
    const differing = new Map<string, Record<string, string>>()
    for (const request of [...verdictsOfHosts.values()][0]?.keys() ?? []) {
      const verdicts = [...verdictsOfHosts].map(([host, all]) => [host, all.get(request) ?? ''] as const)
      const ours = verdicts.filter(([, verdict]) => verdict !== runtimeVerdict)
      if (new Set(ours.map(([, verdict]) => verdict)).size > 1)
        differing.set(request, Object.fromEntries(verdicts))
    }
    expect(Object.fromEntries(differing)).toEqual({})
  })
}
